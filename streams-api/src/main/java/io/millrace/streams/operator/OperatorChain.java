package io.millrace.streams.operator;

import io.millrace.streams.Format;
import io.millrace.streams.Operation;
import io.millrace.streams.Step;
import io.millrace.streams.Topic;
import io.millrace.streams.plan.Stage;
import java.util.ArrayList;
import java.util.List;

/**
 * The operators of one task. The types of neighbouring steps match because the stream classes made them so; here they
 * are erased, and {@link #following} is the one place that says otherwise.
 */
public final class OperatorChain {
    private final Stage.OfLog stage;
    private final TaskContext context;
    private final Operator<Object, Object> first;

    public OperatorChain(Stage.OfLog stage, TaskContext context) {
        this.stage = stage;
        this.context = context;
        List<Operator<Object, Object>> firsts = new ArrayList<>();
        for (Step step : stage.steps()) {
            boolean inputIsInStage =
                    stage.steps().stream().anyMatch(other -> other.id() == step.input() && !endsStage(other));
            if (!inputIsInStage) {
                firsts.add(erased(build(step)));
            }
        }
        this.first = toAll(firsts);
    }

    public void process(Object key, Object value, long timestampMs) {
        first.process(key, value, timestampMs);
    }

    private Operator<?, ?> build(Step step) {
        Operation operation = step.operation();
        if (operation instanceof Operation.Filter<?, ?> filter) {
            return filter(filter, step);
        }
        if (operation instanceof Operation.Map<?, ?, ?> map) {
            return map(map, step);
        }
        if (operation instanceof Operation.FlatMap<?, ?, ?> flatMap) {
            return flatMap(flatMap, step);
        }
        if (operation instanceof Operation.Peek<?, ?> peek) {
            return peek(peek, step);
        }
        if (operation instanceof Operation.KeyBy<?, ?, ?> keyBy) {
            return keyBy(keyBy, step);
        }
        if (operation instanceof Operation.Aggregate<?, ?, ?> fold) {
            return aggregate(fold, step);
        }
        if (operation instanceof Operation.WindowedAggregate<?, ?, ?> fold) {
            return windowed(fold, step);
        }
        if (operation instanceof Operation.Through<?, ?> through) {
            return write(through.topic(), step);
        }
        if (operation instanceof Operation.To<?, ?> to) {
            return write(to.topic(), step);
        }
        throw new IllegalStateException("a stage of the log has no place for " + operation);
    }

    private <K, V> Operator<K, V> filter(Operation.Filter<K, V> filter, Step step) {
        Operator<K, V> next = following(step);
        return (key, value, timestampMs) -> {
            if (filter.keep().test(key, value)) {
                next.process(key, value, timestampMs);
            }
        };
    }

    private <K, V, R> Operator<K, V> map(Operation.Map<K, V, R> map, Step step) {
        Operator<K, R> next = following(step);
        return (key, value, timestampMs) -> next.process(key, map.map().apply(key, value), timestampMs);
    }

    private <K, V, R> Operator<K, V> flatMap(Operation.FlatMap<K, V, R> flatMap, Step step) {
        Operator<K, R> next = following(step);
        return (key, value, timestampMs) -> {
            for (R result : flatMap.map().apply(key, value)) {
                next.process(key, result, timestampMs);
            }
        };
    }

    private <K, V> Operator<K, V> peek(Operation.Peek<K, V> peek, Step step) {
        Operator<K, V> next = following(step);
        return (key, value, timestampMs) -> {
            peek.look().accept(key, value);
            next.process(key, value, timestampMs);
        };
    }

    private <K, V, R> Operator<K, V> keyBy(Operation.KeyBy<K, V, R> keyBy, Step step) {
        Operator<R, V> next = following(step);
        return (key, value, timestampMs) -> next.process(keyBy.key().apply(key, value), value, timestampMs);
    }

    private <K, V, A> Operator<K, V> aggregate(Operation.Aggregate<K, V, A> fold, Step step) {
        return new Aggregating<>(fold, context.state(fold.state()), following(step));
    }

    private <K, V, A> Operator<K, V> windowed(Operation.WindowedAggregate<K, V, A> fold, Step step) {
        return new WindowedAggregating<>(
                fold, context.state(fold.state()), () -> context.late(fold.state()), following(step));
    }

    private <K, V> Operator<K, V> write(Topic<K, V> topic, Step step) {
        String name = topic.name();
        Format<K> keys = topic.keyFormat();
        Format<V> values = topic.valueFormat();
        if (stage.writesLatest(step)) {
            return (key, value, timestampMs) -> context.sendLatest(
                    step.id(), name, keys.writeNullable(name, key), values.writeNullable(name, value), timestampMs);
        }
        return (key, value, timestampMs) ->
                context.send(name, keys.writeNullable(name, key), values.writeNullable(name, value), timestampMs);
    }

    /** What comes behind a step: the steps that take their input from it. */
    @SuppressWarnings("unchecked")
    private <K, V> Operator<K, V> following(Step step) {
        List<Operator<Object, Object>> nexts = new ArrayList<>();
        for (Step other : stage.steps()) {
            if (other.input() == step.id()) {
                nexts.add(erased(build(other)));
            }
        }
        return (Operator<K, V>) toAll(nexts);
    }

    @SuppressWarnings("unchecked")
    private static Operator<Object, Object> erased(Operator<?, ?> operator) {
        return (Operator<Object, Object>) operator;
    }

    private static Operator<Object, Object> toAll(List<Operator<Object, Object>> operators) {
        if (operators.size() == 1) {
            return operators.get(0);
        }
        List<Operator<Object, Object>> all = List.copyOf(operators);
        return (key, value, timestampMs) -> {
            for (Operator<Object, Object> operator : all) {
                operator.process(key, value, timestampMs);
            }
        };
    }

    /** A {@code through} of this stage may lead back into the same topic; its followers then read the source. */
    private static boolean endsStage(Step step) {
        return step.operation() instanceof Operation.Through;
    }
}
