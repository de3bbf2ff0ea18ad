package io.millrace.streams;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** A stream whose records of one key are all in one partition, so that a state can be kept for each key. */
public sealed class KeyedStream<K, V> extends Stream<K, V> permits TopicStream {
    private final Format<K> keyFormat;

    KeyedStream(Flow flow, int step, Format<K> keyFormat) {
        super(flow, step);
        this.keyFormat = keyFormat;
    }

    /**
     * Keeps one value for each key in a named state. A topic that its changes are written to gets the latest of each
     * commit interval.
     *
     * @param state the user's name for it: the changelog topic is called after it, so renaming it begins anew
     */
    public <A> KeyedStream<K, A> aggregate(String state, Aggregation<? super V, A> aggregation) {
        return aggregate(state, aggregation, Emission.LATEST);
    }

    /** As {@link #aggregate(String, Aggregation)}, and says which changes of a value are written to a topic. */
    public <A> KeyedStream<K, A> aggregate(String state, Aggregation<? super V, A> aggregation, Emission emission) {
        Names.check("state", state);
        return keyed(new Operation.Aggregate<>(state, keyFormat, aggregation, emission));
    }

    public WindowedStream<K, V> windowed(Windows.Tumbling windows) {
        return new WindowedStream<>(this, keyFormat, windows);
    }

    @Override
    public KeyedStream<K, V> filter(Predicate<? super V> keep) {
        return filterWithKey((key, value) -> keep.test(value));
    }

    @Override
    public KeyedStream<K, V> filterWithKey(BiPredicate<? super K, ? super V> keep) {
        return keyed(new Operation.Filter<K, V>(keep));
    }

    @Override
    public <R> KeyedStream<K, R> map(Function<? super V, ? extends R> map) {
        return mapWithKey((key, value) -> map.apply(value));
    }

    @Override
    public <R> KeyedStream<K, R> mapWithKey(BiFunction<? super K, ? super V, ? extends R> map) {
        return keyed(new Operation.Map<K, V, R>(map));
    }

    @Override
    public <R> KeyedStream<K, R> flatMap(Function<? super V, ? extends Iterable<? extends R>> map) {
        return flatMapWithKey((key, value) -> map.apply(value));
    }

    @Override
    public <R> KeyedStream<K, R> flatMapWithKey(BiFunction<? super K, ? super V, ? extends Iterable<? extends R>> map) {
        return keyed(new Operation.FlatMap<K, V, R>(map));
    }

    @Override
    public KeyedStream<K, V> peek(Consumer<? super V> look) {
        return peekWithKey((key, value) -> look.accept(value));
    }

    @Override
    public KeyedStream<K, V> peekWithKey(BiConsumer<? super K, ? super V> look) {
        return keyed(new Operation.Peek<K, V>(look));
    }

    private <R> KeyedStream<K, R> keyed(Operation operation) {
        return new KeyedStream<>(flow(), add(operation), keyFormat);
    }
}
