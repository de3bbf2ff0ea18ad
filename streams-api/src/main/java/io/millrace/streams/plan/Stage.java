package io.millrace.streams.plan;

import io.millrace.streams.Emission;
import io.millrace.streams.Operation;
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

        /**
         * Whether this step writes to a topic and may, of several values for one key in a commit interval, leave out all
         * but the last: they come from an aggregate, and nothing in between gives them another key or makes several of
         * one.
         */
        public boolean writesLatest(Step step) {
            if (!(step.operation() instanceof Operation.Through || step.operation() instanceof Operation.To)) {
                return false;
            }
            Step at = input(step);
            while (at != null && keepsKeyAndNumber(at.operation())) {
                at = input(at);
            }
            return at != null && emission(at.operation()) == Emission.LATEST;
        }

        private static boolean keepsKeyAndNumber(Operation operation) {
            return operation instanceof Operation.Map
                    || operation instanceof Operation.Filter
                    || operation instanceof Operation.Peek;
        }

        /** {@link Emission#EVERY_CHANGE} for everything that is no aggregate. */
        private static Emission emission(Operation operation) {
            if (operation instanceof Operation.Aggregate<?, ?, ?> fold) {
                return fold.emission();
            }
            return operation instanceof Operation.WindowedAggregate<?, ?, ?> fold
                    ? fold.emission()
                    : Emission.EVERY_CHANGE;
        }

        /** Null if the input is the stage's topic. */
        private Step input(Step step) {
            return steps.stream()
                    .filter(other -> other.id() == step.input())
                    .findFirst()
                    .orElse(null);
        }
    }

    /** A stage that the sink's database commits: rows and offsets in one transaction. */
    record OfSink(String name, String group, Topic<?, ?> source, Sink<?, ?> sink) implements Stage {}
}
