package io.millrace.streams;

import io.millrace.streams.sink.Sink;

/**
 * A stream exactly as it is in a topic. Only here can a sink be attached: its database remembers the topic's offset
 * together with the rows, and an offset says something about rows only if nothing stands between the two.
 */
public final class TopicStream<K, V> extends KeyedStream<K, V> {
    private final Topic<K, V> topic;

    TopicStream(Flow flow, int step, Topic<K, V> topic) {
        super(flow, step, topic.keyFormat());
        this.topic = topic;
    }

    /** Into a sink that is called after the topic. */
    public void into(Sink<? super K, ? super V> sink) {
        into(topic.name(), sink);
    }

    /** The name keeps the sink's place in its database, so renaming it begins anew. */
    public void into(String name, Sink<? super K, ? super V> sink) {
        Names.check("sink", name);
        add(new Operation.Into<K, V>(name, sink));
    }
}
