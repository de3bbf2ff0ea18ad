package io.millrace.streams.plan;

import io.millrace.streams.Step;
import io.millrace.streams.Topic;
import io.millrace.streams.sink.Sink;
import java.util.List;

/** What runs between two topics, or between a topic and a sink. Each stage has one authority that commits it. */
public sealed interface Stage {
    String name();

    /** The consumer group that reads for this stage. */
    String group();

    Topic<?, ?> source();

    /**
     * A stage that the log commits: outputs, changelogs and offsets in one transaction.
     *
     * @param steps inputs before the steps that take from them; the first has the source as its input
     * @param states names of the states, in order of definition
     */
    record OfLog(String group, Topic<?, ?> source, List<Step> steps, List<String> states) implements Stage {
        @Override
        public String name() {
            return source.name();
        }
    }

    /** A stage that the sink's database commits: rows and offsets in one transaction. */
    record OfSink(String name, String group, Topic<?, ?> source, Sink<?, ?> sink) implements Stage {}
}
