package io.millrace.streams;

/** A keyed stream cut into windows of event time; what can follow is the aggregation. */
public final class WindowedStream<K, V> {
    private final KeyedStream<K, V> stream;
    private final Format<K> keyFormat;
    private final Windows.Tumbling windows;

    WindowedStream(KeyedStream<K, V> stream, Format<K> keyFormat, Windows.Tumbling windows) {
        this.stream = stream;
        this.keyFormat = keyFormat;
        this.windows = windows;
    }

    /** One value for each key and window; a topic gets the latest of each commit interval. */
    public <A> Stream<Windowed<K>, A> aggregate(String state, Aggregation<? super V, A> aggregation) {
        return aggregate(state, aggregation, Emission.LATEST);
    }

    /** As {@link #aggregate(String, Aggregation)}, and says which changes of a value are written to a topic. */
    public <A> Stream<Windowed<K>, A> aggregate(
            String state, Aggregation<? super V, A> aggregation, Emission emission) {
        Names.check("state", state);
        int step = stream.add(new Operation.WindowedAggregate<>(state, keyFormat, windows, aggregation, emission));
        return new Stream<>(stream.flow(), step);
    }
}
