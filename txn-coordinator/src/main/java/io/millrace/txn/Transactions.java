package io.millrace.txn;

import io.millrace.txn.TxnCommand.OfTransaction;
import io.millrace.txn.TxnEvent.Changed;
import io.millrace.txn.TxnEvent.Forgotten;
import io.millrace.txn.TxnEvent.Parked;
import io.millrace.txn.TxnEvent.Unparked;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The state of the machine: transactions by id, what waits for them, and when time will matter to them. */
final class Transactions {
    private final Map<String, Transaction> byId = new TreeMap<>();
    private final Map<String, List<Parked>> parked = new TreeMap<>();
    private final SortedSet<Moment> opened = new TreeSet<>();
    private final SortedSet<Moment> idle = new TreeSet<>();

    Transaction get(String id) {
        return byId.get(id);
    }

    List<Transaction> all() {
        return List.copyOf(byId.values());
    }

    List<OfTransaction> parked(String id) {
        return parked.getOrDefault(id, List.of()).stream().map(Parked::command).toList();
    }

    void apply(TxnEvent event) {
        if (event instanceof Changed changed) {
            Transaction transaction = changed.transaction();
            forget(byId.put(transaction.id(), transaction));
            if (transaction.status() == TxnStatus.ONGOING) {
                opened.add(deadline(transaction));
            } else if (!transaction.status().finishing()) {
                idle.add(new Moment(transaction.updatedMs(), transaction.id()));
            }
        } else if (event instanceof Forgotten forgotten) {
            forget(byId.remove(forgotten.id()));
        } else if (event instanceof Parked waiting) {
            parked.computeIfAbsent(waiting.command().id(), id -> new ArrayList<>())
                    .add(waiting);
        } else if (event instanceof Unparked unparked) {
            unpark(unparked.command());
        }
    }

    private void unpark(OfTransaction command) {
        List<Parked> waiting = parked.get(command.id());
        waiting.removeIf(one -> one.command().reply() == command.reply());
        if (waiting.isEmpty()) {
            parked.remove(command.id());
        }
    }

    private void forget(Transaction old) {
        if (old != null) {
            opened.remove(deadline(old));
            idle.remove(new Moment(old.updatedMs(), old.id()));
        }
    }

    private static Moment deadline(Transaction open) {
        return new Moment(open.startedMs() + open.timeoutMs(), open.id());
    }

    long nextDeadlineMs(long idExpirationMs) {
        long nextMs = Long.MAX_VALUE;
        if (!opened.isEmpty()) {
            nextMs = opened.first().atMs();
        }
        if (!idle.isEmpty()) {
            nextMs = Math.min(nextMs, idle.first().atMs() + idExpirationMs);
        }
        for (List<Parked> waiting : parked.values()) {
            for (Parked one : waiting) {
                nextMs = Math.min(nextMs, one.untilMs());
            }
        }
        return nextMs;
    }

    /** Transactions open for too long, and ids idle for too long. */
    List<Transaction> overdue(long nowMs, long idExpirationMs) {
        List<Transaction> overdue = new ArrayList<>();
        opened.headSet(new Moment(nowMs + 1, "")).forEach(moment -> overdue.add(byId.get(moment.id())));
        idle.headSet(new Moment(nowMs - idExpirationMs + 1, "")).forEach(moment -> overdue.add(byId.get(moment.id())));
        return overdue;
    }

    /** What has waited for too long. */
    List<OfTransaction> parkedTooLong(long nowMs) {
        return parked.values().stream()
                .flatMap(List::stream)
                .filter(one -> one.untilMs() <= nowMs)
                .map(Parked::command)
                .toList();
    }

    private record Moment(long atMs, String id) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            int byTime = Long.compare(atMs, other.atMs);
            return byTime != 0 ? byTime : id.compareTo(other.id);
        }
    }
}
