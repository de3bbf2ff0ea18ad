package io.millrace.txn;

/** A producer at one time of its life: an id, and an epoch that rises whenever an older life must be shut out. */
public record ProducerIdentity(long producerId, short epoch) {

    ProducerIdentity nextEpoch() {
        return new ProducerIdentity(producerId, (short) (epoch + 1));
    }
}
