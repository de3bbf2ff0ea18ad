package io.millrace.streams.plan;

import io.millrace.streams.Operation;
import io.millrace.streams.Step;
import io.millrace.streams.Topic;
import java.util.StringJoiner;

/** A plan for people: as text for a terminal, as a Mermaid graph for a page. */
public final class Description {
    private final Plan plan;

    public Description(Plan plan) {
        this.plan = plan;
    }

    public String text() {
        StringJoiner out = new StringJoiner(System.lineSeparator());
        out.add("job %s, %s".formatted(plan.job().name(), guarantee()));
        for (Stage.OfLog stage : plan.logStages()) {
            out.add("");
            out.add("stage %s, committed by the log".formatted(stage.name()));
            out.add("  reads   " + topic(stage.source()));
            for (Step step : stage.steps()) {
                String which = stage.writesLatest(step) ? ", the latest of each key and commit" : "";
                out.add("  %-7s %s%s".formatted(verb(step.operation()), words(step.operation()), which));
            }
            for (String state : stage.states()) {
                out.add("  state   %s, changelog %s".formatted(state, plan.changelogTopic(state)));
            }
        }
        for (Stage.OfSink stage : plan.sinkStages()) {
            out.add("");
            out.add("stage %s, committed by the sink".formatted(stage.name()));
            out.add("  reads   " + topic(stage.source()));
            out.add("  writes  " + stage.sink().describe());
        }
        out.add("");
        out.add("dead letters go to %s".formatted(plan.deadLetterTopic()));
        return out.toString();
    }

    public String mermaid() {
        StringJoiner out = new StringJoiner(System.lineSeparator());
        out.add("flowchart LR");
        for (Stage.OfLog stage : plan.logStages()) {
            String id = "stage_" + id(stage.name());
            out.add("  %s --> %s[\"%s\"]".formatted(topicNode(stage.source()), id, mermaidSteps(stage)));
            stage.states().forEach(state -> out.add("  %s <--> state_%s[(\"%s\")]".formatted(id, id(state), state)));
            for (Step step : stage.steps()) {
                if (step.operation() instanceof Operation.Through<?, ?> through) {
                    out.add("  %s --> %s".formatted(id, topicNode(through.topic())));
                } else if (step.operation() instanceof Operation.To<?, ?> to) {
                    out.add("  %s --> %s".formatted(id, topicNode(to.topic())));
                }
            }
        }
        for (Stage.OfSink stage : plan.sinkStages()) {
            out.add("  %s --> sink_%s[[\"%s\"]]"
                    .formatted(
                            topicNode(stage.source()),
                            id(stage.name()),
                            quoted(stage.sink().describe())));
        }
        return out.toString();
    }

    private String guarantee() {
        return switch (plan.job().guarantee()) {
            case EXACTLY_ONCE -> "exactly once";
            case AT_LEAST_ONCE -> "at least once";
        };
    }

    private static String mermaidSteps(Stage.OfLog stage) {
        StringJoiner words = new StringJoiner("<br/>");
        for (Step step : stage.steps()) {
            if (!(step.operation() instanceof Operation.Through || step.operation() instanceof Operation.To)) {
                words.add("%s %s"
                        .formatted(verb(step.operation()), words(step.operation()))
                        .strip());
            }
        }
        return words.length() == 0 ? "copy" : words.toString();
    }

    private static String verb(Operation operation) {
        if (operation instanceof Operation.Through || operation instanceof Operation.To) {
            return "writes";
        }
        if (operation instanceof Operation.WindowedAggregate) {
            return "window";
        }
        if (operation instanceof Operation.Aggregate) {
            return "fold";
        }
        if (operation instanceof Operation.FlatMap) {
            return "flatMap";
        }
        if (operation instanceof Operation.KeyBy) {
            return "keyBy";
        }
        if (operation instanceof Operation.Filter) {
            return "filter";
        }
        return operation instanceof Operation.Peek ? "peek" : "map";
    }

    private static String words(Operation operation) {
        if (operation instanceof Operation.Through<?, ?> through) {
            return topic(through.topic());
        }
        if (operation instanceof Operation.To<?, ?> to) {
            return topic(to.topic());
        }
        if (operation instanceof Operation.Aggregate<?, ?, ?> fold) {
            return "%s into %s".formatted(fold.aggregation().name(), fold.state());
        }
        if (operation instanceof Operation.WindowedAggregate<?, ?, ?> fold) {
            return "%s into %s, tumbling %s, grace %s"
                    .formatted(
                            fold.aggregation().name(),
                            fold.state(),
                            fold.windows().size(),
                            fold.windows().grace());
        }
        return "";
    }

    private static String topic(Topic<?, ?> topic) {
        return "%s (%s -> %s)"
                .formatted(
                        topic.name(),
                        topic.keyFormat().name(),
                        topic.valueFormat().name());
    }

    private static String topicNode(Topic<?, ?> topic) {
        return "topic_%s([\"%s\"])".formatted(id(topic.name()), topic.name());
    }

    private static String id(String name) {
        return name.replaceAll("[^a-zA-Z0-9]", "_");
    }

    private static String quoted(String text) {
        return text.replace('"', '\'');
    }
}
