package io.millrace.streams.plan;

import io.millrace.streams.Job;
import io.millrace.streams.Operation;
import io.millrace.streams.Step;
import io.millrace.streams.Topic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One pass over the steps. Every step belongs to the stage of the topic it reads from; {@code from} and {@code through}
 * open a stage, {@code into} makes one of its own. Branches that read the same topic share a stage.
 */
final class Planner {
    private final Job job;
    private final Map<String, Topic<?, ?>> topics = new HashMap<>();
    private final Map<String, Topic<?, ?>> sources = new LinkedHashMap<>();
    private final Map<String, Topic<?, ?>> targets = new LinkedHashMap<>();
    private final Map<String, List<Step>> stepsByTopic = new LinkedHashMap<>();
    private final List<Stage.OfSink> sinkStages = new ArrayList<>();
    private final Set<String> sinkNames = new HashSet<>();
    private final Set<String> states = new HashSet<>();
    /** The topic whose records a step hands on or, for a step inside a stage, the topic that the stage reads. */
    private final Map<Integer, Topic<?, ?>> topicOfStep = new HashMap<>();

    Planner(Job job) {
        this.job = job;
    }

    Plan plan() {
        job.steps().forEach(this::place);
        List<Stage.OfLog> logStages = new ArrayList<>();
        stepsByTopic.forEach((topic, steps) -> {
            if (!steps.isEmpty()) {
                logStages.add(new Stage.OfLog(job.name(), topics.get(topic), List.copyOf(steps), statesOf(steps)));
            }
        });
        targets.keySet().forEach(sources::remove);
        return new Plan(
                job,
                List.copyOf(logStages),
                List.copyOf(sinkStages),
                List.copyOf(sources.values()),
                List.copyOf(targets.values()));
    }

    private void place(Step step) {
        Topic<?, ?> reads = topicOfStep.get(step.input());
        Operation operation = step.operation();
        if (operation instanceof Operation.From<?, ?> from) {
            open(step, from.topic());
            sources.putIfAbsent(from.topic().name(), from.topic());
        } else if (operation instanceof Operation.Into<?, ?> into) {
            addSink(into, reads);
        } else {
            stepsByTopic.get(reads.name()).add(step);
            topicOfStep.put(step.id(), reads);
            checkState(operation);
            if (operation instanceof Operation.Through<?, ?> through) {
                addTarget(through.topic());
                open(step, through.topic());
            } else if (operation instanceof Operation.To<?, ?> to) {
                addTarget(to.topic());
            }
        }
    }

    private void open(Step step, Topic<?, ?> topic) {
        sameDeclaration(topic);
        topicOfStep.put(step.id(), topic);
        stepsByTopic.computeIfAbsent(topic.name(), name -> new ArrayList<>());
    }

    private void addTarget(Topic<?, ?> topic) {
        sameDeclaration(topic);
        targets.putIfAbsent(topic.name(), topic);
    }

    private void addSink(Operation.Into<?, ?> into, Topic<?, ?> source) {
        if (!sinkNames.add(into.name())) {
            throw new InvalidJobException(
                    "job %s has two sinks named '%s'; give one of them a name of its own: .into(\"name\", sink)"
                            .formatted(job.name(), into.name()));
        }
        String group = job.name() + ".into." + into.name();
        sinkStages.add(new Stage.OfSink(into.name(), group, source, into.sink()));
    }

    private void sameDeclaration(Topic<?, ?> topic) {
        Topic<?, ?> known = topics.putIfAbsent(topic.name(), topic);
        if (known != null && !known.equals(topic)) {
            throw new InvalidJobException(
                    "job %s declares topic %s twice, with %s/%s and with %s/%s; declare it once, as a constant"
                            .formatted(
                                    job.name(),
                                    topic.name(),
                                    known.keyFormat().name(),
                                    known.valueFormat().name(),
                                    topic.keyFormat().name(),
                                    topic.valueFormat().name()));
        }
    }

    private void checkState(Operation operation) {
        String state = stateOf(operation);
        if (state != null && !states.add(state)) {
            throw new InvalidJobException(
                    "job %s has two states named '%s'; each needs a name of its own".formatted(job.name(), state));
        }
    }

    private static List<String> statesOf(List<Step> steps) {
        return steps.stream()
                .map(step -> stateOf(step.operation()))
                .filter(state -> state != null)
                .toList();
    }

    private static String stateOf(Operation operation) {
        if (operation instanceof Operation.Aggregate<?, ?, ?> aggregate) {
            return aggregate.state();
        }
        if (operation instanceof Operation.WindowedAggregate<?, ?, ?> aggregate) {
            return aggregate.state();
        }
        return null;
    }
}
