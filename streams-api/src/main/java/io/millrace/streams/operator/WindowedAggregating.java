package io.millrace.streams.operator;

import io.millrace.streams.Operation;
import io.millrace.streams.Windowed;
import io.millrace.streams.state.StateStore;
import java.time.Instant;
import java.util.List;

/**
 * Folds into windows. Stream time, the highest timestamp seen, is part of the state: whether a record is late is
 * decided the same way before and after a restart. Windows that can take no more records are removed as time passes
 * them.
 */
final class WindowedAggregating<K, V, A> implements Operator<K, V> {
    private static final int EXPIRE_AT_ONCE = 1000;

    private final Operation.WindowedAggregate<K, V, A> fold;
    private final StateStore state;
    private final Runnable late;
    private final Operator<Windowed<K>, A> next;
    private final long sizeMs;
    private final long graceMs;

    WindowedAggregating(
            Operation.WindowedAggregate<K, V, A> fold, StateStore state, Runnable late, Operator<Windowed<K>, A> next) {
        this.fold = fold;
        this.state = state;
        this.late = late;
        this.next = next;
        this.sizeMs = fold.windows().size().toMillis();
        this.graceMs = fold.windows().grace().toMillis();
    }

    @Override
    public void process(K key, V value, long timestampMs) {
        if (timestampMs < 0) {
            throw new IllegalArgumentException(
                    "window %s needs a timestamp from 1970 on, found %d ms".formatted(fold.state(), timestampMs));
        }
        long streamTimeMs = advance(timestampMs);
        long startMs = fold.windows().startMs(timestampMs);
        long endMs = startMs + sizeMs;
        if (endMs + graceMs <= streamTimeMs) {
            late.run();
            return;
        }
        byte[] keyBytes = StateKeys.windowEntry(fold.keyFormat(), key, startMs, endMs, fold.state());
        A soFar = fold.aggregation().format().readNullable(fold.state(), state.get(keyBytes));
        A folded = fold.aggregation().add(value, soFar);
        state.put(keyBytes, fold.aggregation().format().write(fold.state(), folded));
        Windowed<K> window = new Windowed<>(key, Instant.ofEpochMilli(startMs), Instant.ofEpochMilli(endMs));
        next.process(window, folded, timestampMs);
    }

    private long advance(long timestampMs) {
        long before = StateKeys.streamTimeMs(state);
        if (timestampMs <= before) {
            return before;
        }
        state.put(StateKeys.STREAM_TIME, StateKeys.timeBytes(timestampMs));
        if (fold.windows().startMs(timestampMs - graceMs) > fold.windows().startMs(before - graceMs)) {
            expire(timestampMs - graceMs);
        }
        return timestampMs;
    }

    /** Removes windows that ended at or before this time. */
    private void expire(long closedMs) {
        if (closedMs < 0) {
            return;
        }
        List<byte[]> closed;
        do {
            closed = state.keys(StateKeys.windowsFrom(0), StateKeys.windowsFrom(closedMs + 1), EXPIRE_AT_ONCE);
            closed.forEach(state::remove);
        } while (closed.size() == EXPIRE_AT_ONCE);
    }
}
