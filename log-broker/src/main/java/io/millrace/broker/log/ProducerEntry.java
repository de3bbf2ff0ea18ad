package io.millrace.broker.log;

import java.util.ArrayList;
import java.util.List;

/** What a log remembers of one producer; changed only by {@link Producers}. */
final class ProducerEntry {
    /** As many as a client may have under way at once without losing their order. */
    private static final int REMEMBERED = 5;

    /**
     * One batch that is in the log.
     *
     * @param offsetDelta one less than the number of its offsets and sequences
     */
    record Batch(int lastSequence, long lastOffset, int offsetDelta, long timestamp) {
        int baseSequence() {
            return (lastSequence - offsetDelta) & Integer.MAX_VALUE;
        }

        long baseOffset() {
            return lastOffset - offsetDelta;
        }
    }

    final long producerId;
    short epoch;
    int coordinatorEpoch = -1;
    long transactionFirstOffset = -1;
    long transactionOpenedMs = -1;
    long lastTimestamp = -1;
    /** By the broker's clock: the records' own time says nothing about whether a producer is still there. */
    long lastSeenMs;

    private final List<Batch> batches = new ArrayList<>(1);

    ProducerEntry(long producerId, short epoch) {
        this.producerId = producerId;
        this.epoch = epoch;
    }

    boolean hasOpenTransaction() {
        return transactionFirstOffset >= 0;
    }

    List<Batch> batches() {
        return batches;
    }

    /** Sequences start over with each epoch, so the batches of an older one say nothing any more. */
    void enter(short newEpoch) {
        if (newEpoch != epoch) {
            epoch = newEpoch;
            batches.clear();
        }
    }

    void remember(Batch batch) {
        if (batches.size() == REMEMBERED) {
            batches.remove(0);
        }
        batches.add(batch);
        lastTimestamp = batch.timestamp();
    }

    int lastSequence() {
        return batches.isEmpty() ? -1 : batches.get(batches.size() - 1).lastSequence();
    }

    boolean isNext(int baseSequence) {
        return baseSequence == (batches.isEmpty() ? 0 : (lastSequence() + 1) & Integer.MAX_VALUE);
    }

    /** The remembered batch that has exactly the sequences of another; null where there is none. */
    Batch repeated(RecordBatch other) {
        for (Batch batch : batches) {
            if (batch.lastSequence() == other.lastSequence() && batch.baseSequence() == other.baseSequence()) {
                return batch;
            }
        }
        return null;
    }

    ProducerState state() {
        return new ProducerState(
                producerId, epoch, lastSequence(), lastTimestamp, coordinatorEpoch, transactionFirstOffset);
    }
}
