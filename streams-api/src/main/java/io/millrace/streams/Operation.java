package io.millrace.streams;

import io.millrace.streams.sink.Sink;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/** What a step does: the whole vocabulary of a job, as the planner and the operators read it. */
public sealed interface Operation {
    record From<K, V>(Topic<K, V> topic) implements Operation {}

    record Filter<K, V>(BiPredicate<? super K, ? super V> keep) implements Operation {}

    record Map<K, V, R>(BiFunction<? super K, ? super V, ? extends R> map) implements Operation {}

    record FlatMap<K, V, R>(BiFunction<? super K, ? super V, ? extends Iterable<? extends R>> map)
            implements Operation {}

    record Peek<K, V>(BiConsumer<? super K, ? super V> look) implements Operation {}

    record KeyBy<K, V, R>(BiFunction<? super K, ? super V, ? extends R> key) implements Operation {}

    record Aggregate<K, V, A>(
            String state, Format<K> keyFormat, Aggregation<? super V, A> aggregation, Emission emission)
            implements Operation {}

    record WindowedAggregate<K, V, A>(
            String state,
            Format<K> keyFormat,
            Windows.Tumbling windows,
            Aggregation<? super V, A> aggregation,
            Emission emission)
            implements Operation {}

    record Through<K, V>(Topic<K, V> topic) implements Operation {}

    record To<K, V>(Topic<K, V> topic) implements Operation {}

    record Into<K, V>(String name, Sink<? super K, ? super V> sink) implements Operation {}
}
