package io.millrace.simulator.checker;

import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.log.RecordBatches;
import io.millrace.broker.log.RecordReader;
import io.millrace.broker.wire.FetchedRecords;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;

/**
 * How far a reader has come in a partition, and what it has got: every offset once, in order, without gaps; and for a
 * reader of committed records what is left when aborted transactions are taken out as consumers do.
 */
public final class ReadPosition {
    /** What a leader says that does not know yet how far the one before it had got. */
    private static final long UNKNOWN = -1;

    private final Ledger ledger;
    private final TopicPartition partition;
    private final boolean committedOnly;
    private final NavigableMap<Long, String> delivered = new TreeMap<>();
    private final Set<Long> aborting = new TreeSet<>();
    private long next;
    private long highWatermark;
    private long lastStableOffset;
    private boolean atEnd;

    public ReadPosition(Ledger ledger, TopicPartition partition, boolean committedOnly) {
        this(ledger, partition, committedOnly, 0);
    }

    public ReadPosition(Ledger ledger, TopicPartition partition, boolean committedOnly, long next) {
        this.next = next;
        this.ledger = ledger;
        this.partition = partition;
        this.committedOnly = committedOnly;
    }

    public TopicPartition partition() {
        return partition;
    }

    public boolean committedOnly() {
        return committedOnly;
    }

    public long next() {
        return next;
    }

    /** Whether the last answer had nothing new, and nothing of the partition is uncommitted or in an open transaction. */
    public boolean isAtEnd() {
        return atEnd;
    }

    /** What an application was given, by offset. */
    public NavigableMap<Long, String> delivered() {
        return delivered;
    }

    /** Nothing is ever deleted here, so everything that was read once stays in range. */
    public Violation outOfRange() {
        return new Violation(
                "I6", partition + " does not reach to offset " + next + " any more, where a reader stands");
    }

    /** I6: what a leader says is committed, and decided, stays so for the reader that has heard it. */
    public void leaderSays(PartitionData data) {
        if (data.highWatermark() == UNKNOWN) {
            return;
        }
        if (data.highWatermark() < highWatermark || data.lastStableOffset() < lastStableOffset) {
            throw new Violation(
                    "I6",
                    partition + " had the high watermark " + highWatermark + " and the stable offset "
                            + lastStableOffset + " for a reader, and now has " + data.highWatermark() + " and "
                            + data.lastStableOffset());
        }
        highWatermark = data.highWatermark();
        lastStableOffset = data.lastStableOffset();
    }

    public void take(PartitionData data) {
        if (data.lastStableOffset() > data.highWatermark()) {
            throw new Violation(
                    "I3",
                    partition + " has the stable offset " + data.lastStableOffset() + " above its high watermark "
                            + data.highWatermark());
        }
        PriorityQueue<AbortedTransaction> aborted =
                new PriorityQueue<>((one, other) -> Long.compare(one.firstOffset(), other.firstOffset()));
        if (data.abortedTransactions() != null) {
            aborted.addAll(data.abortedTransactions());
        }
        ByteBuffer bytes = FetchedRecords.received(data);
        boolean known = data.highWatermark() != UNKNOWN;
        atEnd = known && next >= data.highWatermark() && data.lastStableOffset() >= data.highWatermark();
        long end = !known ? Long.MAX_VALUE : committedOnly ? data.lastStableOffset() : data.highWatermark();
        for (RecordBatch batch : new RecordBatches(bytes)) {
            if (batch.lastOffset() >= next) {
                take(batch, aborted, end);
            }
        }
    }

    private void take(RecordBatch batch, PriorityQueue<AbortedTransaction> aborted, long end) {
        if (batch.baseOffset() > next) {
            throw new Violation(
                    "I1", partition + " jumps from offset " + next + " to " + batch.baseOffset() + " for a reader");
        }
        if (batch.lastOffset() >= end) {
            throw new Violation(
                    committedOnly ? "I3" : "I6",
                    partition + " hands out offset " + batch.lastOffset() + " and says that it ends at " + end);
        }
        while (!aborted.isEmpty() && aborted.peek().firstOffset() <= batch.lastOffset()) {
            aborting.add(aborted.remove().producerId());
        }
        for (RecordReader records = new RecordReader(batch); records.next(); ) {
            Seen what = seen(batch, records);
            ledger.saw(partition, records.offset(), what);
            boolean dropped = what.marker() || (batch.transactional() && aborting.contains(batch.producerId()));
            if (records.offset() >= next && !dropped) {
                deliver(records.offset(), what);
            }
        }
        if (batch.control()) {
            aborting.remove(batch.producerId());
        }
        next = batch.lastOffset() + 1;
    }

    private void deliver(long offset, Seen what) {
        delivered.put(offset, what.value());
        Ledger.Transfer transfer = ledger.transfers().get(what.value());
        if (committedOnly && transfer != null && !transfer.mayBeCommitted()) {
            throw new Violation(
                    "I3",
                    partition + " hands out " + what + " at " + offset
                            + " as committed, of a transaction that nobody has asked to commit");
        }
    }

    /** What stands in a log, for checks that read it without a broker. */
    public static Seen seen(RecordBatch batch, RecordReader records) {
        String value = batch.control()
                ? records.key().getShort(records.key().position() + Short.BYTES) == 1 ? "COMMIT" : "ABORT"
                : StandardCharsets.UTF_8.decode(records.value().duplicate()).toString();
        return new Seen(value, batch.control(), batch.transactional(), batch.producerId(), batch.producerEpoch());
    }

    @Override
    public String toString() {
        return partition + (committedOnly ? ", committed," : "") + " at " + next + ", which ends at " + lastStableOffset
                + " and " + highWatermark + ", open: " + ledger.seen(partition).get(lastStableOffset);
    }
}
