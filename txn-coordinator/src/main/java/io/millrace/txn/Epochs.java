package io.millrace.txn;

import java.util.OptionalLong;

/** Which identity comes after another: the next epoch, or a new producer id when the epochs are used up. */
final class Epochs {
    private final short limit;
    private final ProducerIds producerIds;

    Epochs(short limit, ProducerIds producerIds) {
        this.limit = limit;
        this.producerIds = producerIds;
    }

    /** The first identity of a new producer; null when no producer id is at hand. */
    ProducerIdentity first() {
        OptionalLong id = producerIds.next();
        return id.isPresent() ? new ProducerIdentity(id.getAsLong(), (short) 0) : null;
    }

    /** The identity after this one; null when a new producer id is needed and none is at hand. */
    ProducerIdentity after(ProducerIdentity identity) {
        return identity.epoch() >= limit ? first() : identity.nextEpoch();
    }
}
