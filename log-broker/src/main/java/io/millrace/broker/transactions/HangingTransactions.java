package io.millrace.broker.transactions;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.log.OpenTransaction;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.AbortHanging;
import io.millrace.broker.partition.Ask;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.peers.PeerTransactions;
import io.millrace.broker.peers.PeerTransactions.Busy;
import io.millrace.kernel.Clock;
import io.millrace.txn.Transaction;
import io.millrace.txn.TxnCommand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
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
 *
 * <p>Coordinators move while they are asked, and a broker may not have heard yet of what it has to coordinate. So nothing
 * is aborted before it was known to nobody twice in a row, some minutes apart, with the coordinators in their places from
 * the beginning of the first look to the end of the second.
 */
public final class HangingTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(HangingTransactions.class);
    private static final long OLD_MS = 30_000;

    private final PartitionRegistry partitions;
    private final Coordinators<TxnCommand, ?, ?> transactions;
    private final Coordinators<GroupCommand, ?, ?> groups;
    private final PeerTransactions peers;
    private final Supplier<ClusterImage> image;
    private final Clock clock;
    private final int self;
    private final AtomicReference<Look> last = new AtomicReference<>();

    public HangingTransactions(
            PartitionRegistry partitions,
            Coordinators<TxnCommand, ?, ?> transactions,
            Coordinators<GroupCommand, ?, ?> groups,
            PeerTransactions peers,
            Supplier<ClusterImage> image,
            Clock clock,
            int self) {
        this.partitions = partitions;
        this.transactions = transactions;
        this.groups = groups;
        this.peers = peers;
        this.image = image;
        this.clock = clock;
        this.self = self;
    }

    /**
     * Looks once; any thread.
     *
     * <p>Partitions are asked first, so that what they name has been registered before.
     */
    public CompletableFuture<Void> sweep() {
        Look before = last.getAndSet(null);
        long oldBeforeMs = clock.wallMs() - OLD_MS;
        List<Place> places = places();
        if (places.stream().anyMatch(place -> place.leader() == PartitionImage.NO_LEADER)) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<List<Found>>> open = open(before == null ? Long.MIN_VALUE : before.oldBeforeMs());
        return CompletableFuture.allOf(open.toArray(CompletableFuture[]::new))
                .thenCompose(answered -> known(places))
                .thenAccept(known -> {
                    if (!places.equals(places())) {
                        return;
                    }
                    last.set(new Look(oldBeforeMs, places, known));
                    if (before != null && before.places().equals(places)) {
                        Set<Busy> everBusy = new HashSet<>(known);
                        everBusy.addAll(before.known());
                        open.forEach(reply -> reply.join().forEach(found -> abortUnlessKnown(found, everBusy)));
                        groups.<Void>askAll(reply ->
                                new GroupCommand.AbortHanging(before.oldBeforeMs(), producers(everBusy), reply));
                    }
                })
                .exceptionally(failure -> {
                    LOG.info("hanging transactions are looked for again later: {}", failure.getMessage());
                    return null;
                });
    }

    /** Where transactions are coordinated. */
    private List<Place> places() {
        TopicImage topic = image.get().topic(TopicImage.TRANSACTIONS);
        return topic == null
                ? List.of()
                : topic.partitions().stream()
                        .map(partition -> new Place(partition.leader(), partition.leaderEpoch()))
                        .toList();
    }

    /** What is open since before some time on partitions that are led here. */
    private List<CompletableFuture<List<Found>>> open(long beforeMs) {
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
                                            .filter(one -> one.openedMs() < beforeMs)
                                            .map(one -> new Found(place, one))
                                            .toList(),
                            reply));
            open.add(reply);
        }
        return open;
    }

    /** What coordinators know to be open or about to end. */
    private CompletableFuture<Set<Busy>> known(List<Place> places) {
        List<CompletableFuture<? extends Collection<Busy>>> answers = new ArrayList<>();
        transactions
                .<List<Transaction>>askAll(TxnCommand.ListAll::new)
                .forEach(answer -> answers.add(answer.thenApply(HangingTransactions::ofHere)));
        places.stream()
                .map(Place::leader)
                .filter(leader -> leader != self)
                .distinct()
                .forEach(node -> answers.add(peers.busy(node)));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Set<Busy> known = new HashSet<>();
                    answers.forEach(answer -> known.addAll(answer.join()));
                    return known;
                });
    }

    private static List<Busy> ofHere(List<Transaction> transactions) {
        List<Busy> known = new ArrayList<>();
        for (Transaction transaction : transactions) {
            if (transaction.status().busy()) {
                transaction
                        .partitions()
                        .forEach(one -> known.add(
                                new Busy(transaction.writerId(), new TopicPartition(one.topic(), one.partition()))));
            }
        }
        return known;
    }

    private static Set<Long> producers(Set<Busy> known) {
        Set<Long> producers = new HashSet<>();
        known.forEach(one -> producers.add(one.producerId()));
        return producers;
    }

    private static void abortUnlessKnown(Found found, Set<Busy> known) {
        TopicPartition partition = found.place().partition().name();
        OpenTransaction open = found.open();
        if (known.contains(new Busy(open.producerId(), partition))) {
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

    /** Who coordinates a partition of the transaction log. */
    private record Place(int leader, int leaderEpoch) {}

    /**
     * What was seen at one look.
     *
     * @param oldBeforeMs what began before had been registered for long
     */
    private record Look(long oldBeforeMs, List<Place> places, Set<Busy> known) {}
}
