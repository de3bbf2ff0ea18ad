package io.millrace.txn;

import java.util.Comparator;

/** A partition that takes part in a transaction. */
public record TxnPartition(String topic, int partition) implements Comparable<TxnPartition> {
    private static final Comparator<TxnPartition> ORDER =
            Comparator.comparing(TxnPartition::topic).thenComparingInt(TxnPartition::partition);

    @Override
    public int compareTo(TxnPartition other) {
        return ORDER.compare(this, other);
    }
}
