package io.millrace.streams;

import java.util.ArrayList;
import java.util.List;

/** Where a job's definition begins. Used by one thread, for as long as {@link Job#define} runs. */
public final class Flow {
    private final List<Step> steps = new ArrayList<>();

    Flow() {}

    /** All records of a topic, from its beginning on for a job that has not run before. */
    public <K, V> TopicStream<K, V> from(Topic<K, V> topic) {
        return new TopicStream<>(this, add(Step.NO_INPUT, new Operation.From<>(topic)), topic);
    }

    int add(int input, Operation operation) {
        int id = steps.size();
        steps.add(new Step(id, input, operation));
        return id;
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }
}
