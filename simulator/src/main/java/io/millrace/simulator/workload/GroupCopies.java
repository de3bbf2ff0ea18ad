package io.millrace.simulator.workload;

import io.millrace.simulator.checker.Ownership;
import io.millrace.simulator.checker.ReadPosition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/**
 * One of several consumers that divide the partitions of an input among them and copy each its own. It leaves at times,
 * or falls silent until the others have long taken over, and comes back. When it is stopped it goes on until the group
 * has copied everything.
 */
public final class GroupCopies extends Turns {
    private static final int TIMEOUT_MS = 8_000;
    private static final int MAX_PAUSE_MS = 300;
    private static final int MOST_AWAY_MS = 8_000;

    private final Work work;
    private final TransactionalProducer producer;
    private final GroupMember member;
    private final Map<Integer, Long> next = new TreeMap<>();
    private List<Integer> share = List.of();
    private int turn;

    /** @param slot names this member's transactions, whichever life it is in */
    GroupCopies(Bench bench, Work work, String slot, int sessionMs) {
        super(bench);
        this.work = work;
        this.producer = new TransactionalProducer(bench, slot, TIMEOUT_MS);
        this.member = new GroupMember(bench.client(), work.group, work.inputs.size(), sessionMs);
    }

    @Override
    public void start() {
        next(this::join);
    }

    @Override
    boolean isOver() {
        return isStopped() && work.isDone() && member.membership().id().isEmpty();
    }

    private void join() {
        bench().then(member.join(), mine -> {
            share = mine;
            next.clear();
            mine.forEach(one -> work.ownership.owns(
                    member.membership().generation(),
                    work.inputs.get(one),
                    member.membership().id()));
            bench().then(producer.init(), begun -> next(this::stay));
        });
    }

    /** Comes and goes as consumers do, or does its work. */
    private void stay() {
        int chance = bench().client().chance(30);
        if (isStopped() ? work.isDone() : chance == 0) {
            bench().then(member.leave(), left -> pause(MOST_AWAY_MS, this::join));
        } else if (chance == 1 && !isStopped()) {
            member.forget();
            pause(MOST_AWAY_MS, this::join);
        } else {
            bench().client()
                    .insist(member::heartbeat)
                    .whenComplete((heard, failure) -> bench().guard(() -> {
                        if (failure != null) {
                            lost(failure);
                        } else if (share.isEmpty()) {
                            pause(MAX_PAUSE_MS, this::stay);
                        } else {
                            copy(share.get(turn++ % share.size()));
                        }
                    }));
        }
    }

    private void copy(int input) {
        Copying copying = copying(input);
        if (next.containsKey(input)) {
            read(copying, input, next.get(input));
        } else {
            bench().then(bench().client().insist(copying::committedOffset), offset -> read(copying, input, offset));
        }
    }

    private Copying copying(int input) {
        return work.copying(bench(), input);
    }

    private void read(Copying copying, int input, long from) {
        bench().then(bench().client().insist(() -> copying.read(from)), read -> {
            long end = Copying.end(read, from);
            if (end > from) {
                write(copying, input, read, from, end);
                return;
            }
            next.put(input, from);
            if (isStopped() && read.isAtEnd()) {
                work.done.add(input);
            }
            pause(MAX_PAUSE_MS, this::stay);
        });
    }

    private void write(Copying copying, int input, ReadPosition read, long from, long end) {
        boolean commits = bench().client().chance(6) > 0;
        next.remove(input); // until the transaction has ended, the coordinator alone knows
        copying.write(producer, member.membership(), read, from, end)
                .whenComplete((done, failure) -> bench().guard(() -> {
                    if (failure != null) {
                        lost(failure);
                    } else if (bench().client().chance(12) == 0 && !isStopped()) {
                        member.forget(); // dies before the end
                        pause(MOST_AWAY_MS, this::join);
                    } else {
                        end(commits, input, end);
                    }
                }));
    }

    private void end(boolean commits, int input, long end) {
        producer.end(commits)
                .whenComplete((ended, failure) -> bench().guard(() -> {
                    if (failure != null) {
                        lost(failure);
                        return;
                    }
                    if (commits) {
                        next.put(input, end);
                    }
                    pause(MAX_PAUSE_MS, this::stay);
                }));
    }

    /** Somebody else owns what it had, or has ended its transaction: it begins anew. */
    private void lost(Throwable failure) {
        if (GroupMember.isLost(failure) || TransactionalProducer.hasEnded(failure)) {
            pause(MAX_PAUSE_MS, this::join);
        } else {
            bench().unexpected().accept(failure);
        }
    }

    @Override
    public String toString() {
        return "copies of " + member + " as " + producer.identity() + ", of " + share + " at " + next;
    }

    /** What the members of one group divide among them. */
    static final class Work {
        private final String group;
        private final List<TopicPartition> inputs;
        private final TopicPartition output;
        private final Ownership ownership = new Ownership();
        private final TreeSet<Integer> done = new TreeSet<>();

        Work(String group, List<TopicPartition> inputs, TopicPartition output) {
            this.group = group;
            this.inputs = inputs;
            this.output = output;
        }

        /** Whether somebody has come to the end of each input since the members were stopped. */
        private boolean isDone() {
            return done.size() == inputs.size();
        }

        private Copying copying(Bench bench, int input) {
            return new Copying(bench, group, group + "-" + input, inputs.get(input), output);
        }

        List<Copying> copyings(Bench bench) {
            return inputs.stream()
                    .map(input -> copying(bench, inputs.indexOf(input)))
                    .toList();
        }
    }
}
