package io.millrace.streams;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Records on their way through a stage. The plain words see the value, their {@code …WithKey} forms the key too. */
public sealed class Stream<K, V> permits KeyedStream {
    private final Flow flow;
    private final int step;

    Stream(Flow flow, int step) {
        this.flow = flow;
        this.step = step;
    }

    public Stream<K, V> filter(Predicate<? super V> keep) {
        return filterWithKey((key, value) -> keep.test(value));
    }

    public Stream<K, V> filterWithKey(BiPredicate<? super K, ? super V> keep) {
        return new Stream<>(flow, add(new Operation.Filter<K, V>(keep)));
    }

    public <R> Stream<K, R> map(Function<? super V, ? extends R> map) {
        return mapWithKey((key, value) -> map.apply(value));
    }

    public <R> Stream<K, R> mapWithKey(BiFunction<? super K, ? super V, ? extends R> map) {
        return new Stream<>(flow, add(new Operation.Map<K, V, R>(map)));
    }

    public <R> Stream<K, R> flatMap(Function<? super V, ? extends Iterable<? extends R>> map) {
        return flatMapWithKey((key, value) -> map.apply(value));
    }

    public <R> Stream<K, R> flatMapWithKey(BiFunction<? super K, ? super V, ? extends Iterable<? extends R>> map) {
        return new Stream<>(flow, add(new Operation.FlatMap<K, V, R>(map)));
    }

    /** For looking, not for effects: a record is looked at again when its interval is computed again. */
    public Stream<K, V> peek(Consumer<? super V> look) {
        return peekWithKey((key, value) -> look.accept(value));
    }

    public Stream<K, V> peekWithKey(BiConsumer<? super K, ? super V> look) {
        return new Stream<>(flow, add(new Operation.Peek<K, V>(look)));
    }

    /** Gives each record a new key. What needs the records of a key together comes after the {@link #through}. */
    public <R> Stream<R, V> keyBy(Function<? super V, ? extends R> key) {
        return rekey((oldKey, value) -> key.apply(value));
    }

    public <R> Stream<R, V> rekey(BiFunction<? super K, ? super V, ? extends R> key) {
        return new Stream<>(flow, add(new Operation.KeyBy<K, V, R>(key)));
    }

    /** Writes to a topic and goes on from there: the visible hop over the network, and the end of the stage. */
    public TopicStream<K, V> through(Topic<K, V> topic) {
        return new TopicStream<>(flow, add(new Operation.Through<>(topic)), topic);
    }

    public void to(Topic<K, V> topic) {
        add(new Operation.To<>(topic));
    }

    final int add(Operation operation) {
        return flow.add(step, operation);
    }

    final Flow flow() {
        return flow;
    }
}
