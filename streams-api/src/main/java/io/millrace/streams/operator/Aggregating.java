package io.millrace.streams.operator;

import io.millrace.streams.Operation;
import io.millrace.streams.state.StateStore;

final class Aggregating<K, V, A> implements Operator<K, V> {
    private final Operation.Aggregate<K, V, A> fold;
    private final StateStore state;
    private final Operator<K, A> next;

    Aggregating(Operation.Aggregate<K, V, A> fold, StateStore state, Operator<K, A> next) {
        this.fold = fold;
        this.state = state;
        this.next = next;
    }

    @Override
    public void process(K key, V value, long timestampMs) {
        byte[] keyBytes = StateKeys.entry(fold.keyFormat(), key, fold.state());
        A soFar = fold.aggregation().format().readNullable(fold.state(), state.get(keyBytes));
        A folded = fold.aggregation().add(value, soFar);
        state.put(keyBytes, fold.aggregation().format().write(fold.state(), folded));
        next.process(key, folded, timestampMs);
    }
}
