package io.millrace.simulator.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * What clients were promised and what readers have seen. One offset of a partition holds the same for everybody and for
 * ever, whoever reads it and whenever; whatever differs is refused at once.
 */
public final class Ledger {
    /** Partitions by topic, then by number. */
    public static final Comparator<TopicPartition> BY_NAME =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private final Map<TopicPartition, NavigableMap<Long, Seen>> seen = new TreeMap<>(BY_NAME);
    private final Map<TopicPartition, NavigableMap<Long, String>> acknowledged = new TreeMap<>(BY_NAME);
    private final Map<String, Transfer> transfers = new TreeMap<>();
    private final Map<String, List<String>> inOrder = new TreeMap<>();
    private final List<String> forbidden = new ArrayList<>();
    private long promises;

    /** A producer will send this value next, at most once and behind those before. */
    public void sends(String producer, String value) {
        inOrder.computeIfAbsent(producer, first -> new ArrayList<>()).add(value);
    }

    /** The cluster has said that a record is stored at an offset. */
    public void acknowledged(TopicPartition partition, long offset, String value) {
        promises++;
        String before = acknowledged
                .computeIfAbsent(partition, first -> new TreeMap<>())
                .put(offset, value);
        if (before != null && !before.equals(value)) {
            throw new Violation(
                    "I1", partition + " offset " + offset + " is promised to " + before + " and to " + value);
        }
        Seen there = seen(partition).get(offset);
        if (there != null && !there.value().equals(value)) {
            throw new Violation(
                    "I1", partition + " offset " + offset + " is promised to " + value + ", and holds " + there);
        }
    }

    /** A reader has seen what is at an offset. */
    public void saw(TopicPartition partition, long offset, Seen what) {
        Seen before = seen(partition).put(offset, what);
        if (before != null && !before.equals(what)) {
            throw new Violation("I6", partition + " offset " + offset + " held " + before + ", and now holds " + what);
        }
        String promised = acknowledged(partition).get(offset);
        if (promised != null && !promised.equals(what.value())) {
            throw new Violation(
                    "I1", partition + " offset " + offset + " is promised to " + promised + ", and holds " + what);
        }
    }

    public NavigableMap<Long, Seen> seen(TopicPartition partition) {
        return seen.computeIfAbsent(partition, first -> new TreeMap<>());
    }

    public NavigableMap<Long, String> acknowledged(TopicPartition partition) {
        return acknowledged.computeIfAbsent(partition, first -> new TreeMap<>());
    }

    /** A transaction begins to send one value, the same wherever it writes. */
    public Transfer transfer(String value) {
        Transfer made = new Transfer();
        transfers.put(value, made);
        return made;
    }

    public Map<String, Transfer> transfers() {
        return transfers;
    }

    /** A fenced producer will send this value, so it must never be seen. */
    public void forbids(String value) {
        forbidden.add(value);
    }

    List<String> forbidden() {
        return forbidden;
    }

    /** What each producer sent, in its order. */
    public Map<String, List<String>> inOrder() {
        return inOrder;
    }

    /** How many acknowledgements there were. */
    public long promises() {
        return promises;
    }

    /** A transaction, as its producer knows it. */
    public static final class Transfer {
        private final List<TopicPartition> partitions = new ArrayList<>();
        private Outcome outcome = Outcome.UNKNOWN;
        private boolean mayBeCommitted;

        public void writesTo(TopicPartition partition) {
            partitions.add(partition);
        }

        public List<TopicPartition> partitions() {
            return partitions;
        }

        /** From now on its producer asks for the commit. */
        public void asksForCommit() {
            mayBeCommitted = true;
        }

        boolean mayBeCommitted() {
            return mayBeCommitted;
        }

        public void ended(Outcome how) {
            outcome = how;
        }

        public Outcome outcome() {
            return outcome;
        }
    }

    /** How a transaction ended as far as its producer was told. */
    public enum Outcome {
        COMMITTED,
        ABORTED,
        UNKNOWN
    }
}
