package io.millrace.broker.log;

import java.util.Optional;

/**
 * How a transaction ended on this partition.
 *
 * @param raisesEpoch the marker's epoch is one above that of the transaction it ends, as in transaction version 2
 *     (KIP-890): it then never ends a transaction of its own epoch, which is a newer one
 */
public record TransactionMarker(
        long producerId, short epoch, boolean commit, int coordinatorEpoch, boolean raisesEpoch) {

    private static final short ABORT = 0;
    private static final short COMMIT = 1;

    /** Reads a control batch; empty for other kinds of control records, and where compaction left only the header. */
    static Optional<TransactionMarker> of(RecordBatch batch) {
        RecordReader records = new RecordReader(batch);
        if (!records.next() || records.key() == null || records.key().remaining() < 4) {
            return Optional.empty();
        }
        short type = records.key().getShort(2);
        if (type != ABORT && type != COMMIT) {
            return Optional.empty();
        }
        if (records.value() == null || records.value().remaining() < 6) {
            throw new CorruptBatchException("the transaction marker at offset " + batch.baseOffset() + " has no value");
        }
        int coordinatorEpoch = records.value().getInt(2);
        return Optional.of(new TransactionMarker(
                batch.producerId(), batch.producerEpoch(), type == COMMIT, coordinatorEpoch, false));
    }
}
