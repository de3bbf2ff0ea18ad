package io.millrace.broker.transactions;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.log.OpenTransaction;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.partition.AbortHanging;
import io.millrace.broker.partition.Ask;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.kernel.Clock;
import io.millrace.txn.Transaction;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnPartition;
import io.millrace.txn.TxnStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for transactions that are open on a partition, or with a group, although no coordinator knows of them, and
 * aborts them: they would hold up readers of committed records, and the group's offsets, for ever. A power cut can leave
 * them behind, when it takes more of the transaction log than of the partition's.
 *
 * <p>A transaction that a coordinator is finishing counts as known; it has completed only when every partition has
 * acknowledged the end. So one that is open here and known to nobody will never be ended by anybody else.
 */
public final class HangingTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(HangingTransactions.class);
    private static final long OLD_MS = 30_000;

    private final PartitionRegistry partitions;
    private final Coordinators<TxnCommand, ?, ?> transactions;
    private final Coordinators<GroupCommand, ?, ?> groups;
    private final Supplier<ClusterImage> image;
    private final Clock clock;

    public HangingTransactions(
            PartitionRegistry partitions,
            Coordinators<TxnCommand, ?, ?> transactions,
            Coordinators<GroupCommand, ?, ?> groups,
            Supplier<ClusterImage> image,
            Clock clock) {
        this.partitions = partitions;
        this.transactions = transactions;
        this.groups = groups;
        this.image = image;
        this.clock = clock;
    }

    /**
     * Looks once; any thread. In a cluster of several brokers a coordinator elsewhere may know of a transaction, so there
     * nothing is aborted.
     *
     * <p>Partitions are asked first, so that what they name has been registered before.
     */
    public CompletableFuture<Void> sweep() {
        if (image.get().brokers().size() > 1) {
            return CompletableFuture.completedFuture(null);
        }
        long oldBeforeMs = clock.wallMs() - OLD_MS;
        List<CompletableFuture<List<Found>>> open = new ArrayList<>();
        for (PartitionRegistry.Place place : partitions.all()) {
            if (!place.partition().standing().leads()) {
                continue;
            }
            CompletableFuture<List<Found>> reply = new CompletableFuture<>();
            place.shard()
                    .submit(new Ask<>(
                            place.partition().name(),
                            partition -> partition == null
                                    ? List.of()
                                    : partition.log().openTransactions().stream()
                                            .filter(one -> one.openedMs() < oldBeforeMs)
                                            .map(one -> new Found(place, one))
                                            .toList(),
                            reply));
            open.add(reply);
        }
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new))
                .thenCompose(answered -> known())
                .thenAccept(known -> {
                    open.forEach(reply -> reply.join().forEach(found -> abortUnlessKnown(found, known)));
                    groups.<Void>askAll(reply -> new GroupCommand.AbortHanging(oldBeforeMs, producers(known), reply));
                })
                .exceptionally(failure -> {
                    LOG.warn("hanging transactions are looked for again later: {}", failure.getMessage());
                    return null;
                });
    }

    /** What coordinators know to be open or about to end. */
    private CompletableFuture<Set<Known>> known() {
        List<CompletableFuture<List<Transaction>>> lists = transactions.askAll(TxnCommand.ListAll::new);
        return CompletableFuture.allOf(lists.toArray(CompletableFuture[]::new)).thenApply(all -> {
            Set<Known> known = new HashSet<>();
            lists.forEach(list -> list.join().forEach(transaction -> add(transaction, known)));
            return known;
        });
    }

    private static void add(Transaction transaction, Set<Known> known) {
        if (transaction.status() == TxnStatus.ONGOING || transaction.status().finishing()) {
            long producerId = transaction.status().finishing()
                    ? transaction.marker().identity().producerId()
                    : transaction.current().producerId();
            for (TxnPartition partition : transaction.partitions()) {
                known.add(new Known(producerId, new TopicPartition(partition.topic(), partition.partition())));
            }
        }
    }

    private static Set<Long> producers(Set<Known> known) {
        Set<Long> producers = new HashSet<>();
        known.forEach(one -> producers.add(one.producerId()));
        return producers;
    }

    private static void abortUnlessKnown(Found found, Set<Known> known) {
        TopicPartition partition = found.place().partition().name();
        OpenTransaction open = found.open();
        if (known.contains(new Known(open.producerId(), partition))) {
            return;
        }
        LOG.warn(
                "{}: the transaction of producer {} that is open since offset {} is known to no coordinator; it is aborted",
                partition,
                open.producerId(),
                open.firstOffset());
        found.place().shard().submit(new AbortHanging(partition, open, new CompletableFuture<>()));
    }

    private record Found(PartitionRegistry.Place place, OpenTransaction open) {}

    private record Known(long producerId, TopicPartition partition) {}
}
