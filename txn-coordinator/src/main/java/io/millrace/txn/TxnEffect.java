package io.millrace.txn;

import java.util.SortedSet;

/** What the host does once the events of a decision are committed. */
public sealed interface TxnEffect {

    /** Completes the future of a command. */
    record Reply(Runnable completion) implements TxnEffect {}

    /**
     * Brings the end of a transaction to its partitions, repeating it until each has it, and answers with {@link
     * TxnCommand.MarkersWritten}. A partition that no longer exists counts as having it.
     */
    record WriteMarkers(String id, TxnMarker marker, boolean commit, SortedSet<TxnPartition> partitions)
            implements TxnEffect {}

    /** A command that waited is decided anew. */
    record Again(TxnCommand command) implements TxnEffect {}
}
