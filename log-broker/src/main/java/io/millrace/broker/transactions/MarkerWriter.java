package io.millrace.broker.transactions;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.coordination.HostedCoordinator;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.WriteMarker;
import io.millrace.broker.peers.PeerTransactions;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnEffect;
import io.millrace.txn.TxnPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the end of a transaction to its partitions and groups, again and again until each has it. */
public final class MarkerWriter {
    private static final Logger LOG = LoggerFactory.getLogger(MarkerWriter.class);
    private static final long RETRY_MS = 100;

    private final PartitionRegistry partitions;
    private final Supplier<ClusterImage> image;
    private final Supplier<Coordinators<GroupCommand, ?, ?>> groups;
    private final PeerTransactions peers;
    private final int self;

    public MarkerWriter(
            PartitionRegistry partitions,
            Supplier<ClusterImage> image,
            Supplier<Coordinators<GroupCommand, ?, ?>> groups,
            PeerTransactions peers,
            int self) {
        this.partitions = partitions;
        this.image = image;
        this.groups = groups;
        this.peers = peers;
        this.self = self;
    }

    /** Performs the effect for a coordinator, which hears of it once every partition has the marker. */
    public void perform(TxnEffect.WriteMarkers effect, HostedCoordinator<TxnCommand, ?, TxnEffect> coordinator) {
        TransactionMarker marker = new TransactionMarker(
                effect.marker().identity().producerId(),
                effect.marker().identity().epoch(),
                effect.commit(),
                coordinator.epoch(),
                effect.marker().raisesEpoch());
        List<CompletableFuture<ErrorCode>> answers = new ArrayList<>();
        Map<Integer, List<TopicPartition>> elsewhere = new TreeMap<>();
        for (TxnPartition one : effect.partitions()) {
            TopicPartition partition = new TopicPartition(one.topic(), one.partition());
            int leader = leader(partition);
            if (leader == self || leader == PartitionImage.NO_LEADER) {
                answers.add(write(partition, marker));
            } else {
                elsewhere.computeIfAbsent(leader, node -> new ArrayList<>()).add(partition);
            }
        }
        elsewhere.forEach(
                (node, some) -> answers.add(peers.end(node, marker, some).thenApply(MarkerWriter::one)));
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).whenComplete((all, failure) -> {
            List<ErrorCode> missing = answers.stream()
                    .map(answer -> answer.isCompletedExceptionally() ? ErrorCode.UNKNOWN_SERVER_ERROR : answer.join())
                    .filter(error -> error != ErrorCode.NONE)
                    .distinct()
                    .toList();
            if (missing.isEmpty()) {
                report(effect, coordinator);
            } else if (missing.contains(ErrorCode.TRANSACTION_COORDINATOR_FENCED)) {
                LOG.info("a newer coordinator finishes the transaction of {}", effect.id());
            } else {
                LOG.debug("the end of the transaction of {} is brought again: {}", effect.id(), missing);
                coordinator.later(RETRY_MS, () -> perform(effect, coordinator));
            }
        });
    }

    /** A coordinator that cannot note it just now, on a full disk say, is told again: nobody else would ever do so. */
    private void report(TxnEffect.WriteMarkers effect, HostedCoordinator<TxnCommand, ?, TxnEffect> coordinator) {
        TxnCommand.MarkersWritten written =
                new TxnCommand.MarkersWritten(effect.id(), effect.marker(), new CompletableFuture<>());
        written.reply().whenComplete((answer, failure) -> {
            if (failure != null) {
                LOG.debug("the end of the transaction of {} is reported again", effect.id(), failure);
                coordinator.later(RETRY_MS, () -> report(effect, coordinator));
            }
        });
        coordinator.send(written);
    }

    private int leader(TopicPartition partition) {
        PartitionImage known = image.get().partition(partition.topic(), partition.partition());
        return known == null ? PartitionImage.NO_LEADER : known.leader();
    }

    /**
     * Many answers made one: an error, where there is one. A broker that does not know a partition may have given it away
     * while the marker waited there, or not have heard of it yet; whether it no longer exists, the coordinator's own
     * image says.
     */
    static ErrorCode one(Map<TopicPartition, ErrorCode> errors) {
        return errors.values().stream()
                .filter(error -> error != ErrorCode.NONE)
                .min(Comparator.comparing(error -> error != ErrorCode.TRANSACTION_COORDINATOR_FENCED))
                .orElse(ErrorCode.NONE);
    }

    /** Writes one marker here. A partition that no longer exists needs none. */
    public CompletableFuture<ErrorCode> write(TopicPartition partition, TransactionMarker marker) {
        if (image.get().partition(partition.topic(), partition.partition()) == null) {
            return CompletableFuture.completedFuture(ErrorCode.NONE);
        }
        if (partition.topic().equals(TopicImage.OFFSETS)) {
            return groups.get()
                    .<ErrorCode>ask(partition, reply -> new GroupCommand.EndTransaction(marker, reply))
                    .exceptionally(TxnErrors::code);
        }
        PartitionRegistry.Place place = partitions.find(partition);
        if (place == null) {
            return CompletableFuture.completedFuture(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        }
        CompletableFuture<ErrorCode> reply = new CompletableFuture<>();
        place.shard().submit(new WriteMarker(partition, marker, reply));
        return reply;
    }
}
