package io.millrace.simulator.workload;

import io.millrace.simulator.checker.Ledger;
import io.millrace.simulator.checker.Ledger.Outcome;
import io.millrace.simulator.checker.Violation;
import io.millrace.simulator.client.Requests.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Transactions that write one value to several partitions and end by commit or abort, or are given up half-way; then the
 * producer begins anew under the same id, which fences the one it was before.
 */
public final class Transfers extends Turns {
    private static final int TIMEOUT_MS = 8_000;
    private static final int MAX_PAUSE_MS = 200;

    private final TransactionalProducer producer;
    private final String id;
    private final List<TopicPartition> partitions;
    private int number;

    public Transfers(Bench bench, String id, List<TopicPartition> partitions) {
        super(bench);
        this.id = id;
        this.partitions = partitions;
        this.producer = new TransactionalProducer(bench, id, TIMEOUT_MS);
    }

    @Override
    public void start() {
        next(this::begin);
    }

    private void begin() {
        Identity before = producer.identity();
        TopicPartition partition = anyPartition();
        int sequence = producer.nextSequence(partition);
        bench().then(producer.init(), started -> {
            if (before != null && bench().client().chance(3) == 0) {
                comeBack(before, partition, sequence);
            }
            next(this::transfer);
        });
    }

    /**
     * A producer that was replaced sends once more: it must change nothing (I5).
     *
     * @param sequence one that it has not used, for the answer to what was taken before is given again
     */
    private void comeBack(Identity before, TopicPartition partition, int sequence) {
        String value = id + ".fenced." + number++;
        bench().ledger().forbids(value);
        bench().append(partition, id, Bench.batch(before, true, sequence, List.of(value)))
                .whenComplete((offset, failure) -> {
                    if (failure == null) {
                        bench().unexpected()
                                .accept(new Violation(
                                        "I5",
                                        partition + " took " + value + " at " + offset + " from " + before + ", which "
                                                + producer.identity() + " has replaced"));
                    }
                });
    }

    private TopicPartition anyPartition() {
        return partitions.get(bench().client().chance(partitions.size()));
    }

    private void transfer() {
        String value = id + "." + number++;
        Ledger.Transfer transfer = bench().ledger().transfer(value);
        List<TopicPartition> targets = new ArrayList<>(partitions);
        while (targets.size() > 1 && (targets.size() > 3 || bench().client().chance(3) == 0)) {
            targets.remove(bench().client().chance(targets.size()));
        }
        targets.forEach(transfer::writesTo);
        CompletableFuture<?> written = CompletableFuture.allOf(targets.stream()
                .map(partition -> producer.append(partition, List.of(value)))
                .toArray(CompletableFuture[]::new));
        written.whenComplete((done, failure) -> bench().guard(() -> {
            if (failure != null) {
                lost(transfer, failure);
            } else if (bench().client().chance(8) == 0) {
                next(this::begin); // without an end: the next one of this id ends it
                transfer.ended(Outcome.ABORTED);
            } else {
                end(transfer, bench().client().chance(4) > 0);
            }
        }));
    }

    private void end(Ledger.Transfer transfer, boolean commit) {
        if (commit) {
            transfer.asksForCommit();
        }
        producer.end(commit)
                .whenComplete((done, failure) -> bench().guard(() -> {
                    if (failure != null) {
                        lost(transfer, failure);
                    } else {
                        transfer.ended(commit ? Outcome.COMMITTED : Outcome.ABORTED);
                        goOn();
                    }
                }));
    }

    /** Often at once: then the next transaction begins before the markers of this one are written. */
    private void goOn() {
        if (bench().client().chance(2) == 0) {
            next(this::transfer);
        } else {
            pause(MAX_PAUSE_MS, this::transfer);
        }
    }

    /** The coordinator has ended the transaction, or somebody has: it is as if the producer had died. */
    private void lost(Ledger.Transfer transfer, Throwable failure) {
        if (!TransactionalProducer.hasEnded(failure)) {
            bench().unexpected().accept(failure);
            return;
        }
        transfer.ended(Outcome.UNKNOWN);
        pause(MAX_PAUSE_MS, this::begin);
    }

    @Override
    public String toString() {
        return "transfers of " + id + " as " + producer.identity() + ", at number " + number;
    }
}
