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

    /** One value for each key and window; every change of it is handed on. */
    public <A> Stream<Windowed<K>, A> aggregate(String state, Aggregation<? super V, A> aggregation) {
        Names.check("state", state);
        int step = stream.add(new Operation.WindowedAggregate<>(state, keyFormat, windows, aggregation));
        return new Stream<>(stream.flow(), step);
    }
}
