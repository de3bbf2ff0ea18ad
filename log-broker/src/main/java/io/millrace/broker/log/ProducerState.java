package io.millrace.broker.log;

/**
 * What the log remembers of one producer.
 *
 * @param lastSequence -1 where nothing was written in this epoch
 * @param lastTimestamp of its last batch, or -1
 * @param coordinatorEpoch of the last marker, or -1
 * @param transactionFirstOffset first offset of its open transaction, or -1
 */
public record ProducerState(
        long producerId,
        short epoch,
        int lastSequence,
        long lastTimestamp,
        int coordinatorEpoch,
        long transactionFirstOffset) {}
