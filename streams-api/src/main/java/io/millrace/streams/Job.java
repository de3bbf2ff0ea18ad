package io.millrace.streams;

import java.util.List;
import java.util.function.Consumer;

/** A job as a value: what is read, what is done, where it goes. */
public record Job(String name, Guarantee guarantee, List<Step> steps) {
    public Job {
        Names.check("job", name);
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException(
                    "job %s reads nothing; begin its definition with flow.from(TOPIC)".formatted(name));
        }
    }

    public static Job define(String name, Consumer<Flow> definition) {
        Flow flow = new Flow();
        definition.accept(flow);
        return new Job(name, Guarantee.EXACTLY_ONCE, flow.steps());
    }

    /** Less: a crash repeats the outputs of the last commit interval. What it saves is the transactions. */
    public Job atLeastOnce() {
        return new Job(name, Guarantee.AT_LEAST_ONCE, steps);
    }
}
