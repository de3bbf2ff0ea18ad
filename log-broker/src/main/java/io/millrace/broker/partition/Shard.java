package io.millrace.broker.partition;

import io.millrace.broker.log.Checkpointing;
import io.millrace.broker.log.Damage;
import io.millrace.broker.log.Forcing;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.replication.LeaderState;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread and the partitions that it owns. */
public final class Shard implements Loop.Handler<ShardMessage> {
    private static final Logger LOG = LoggerFactory.getLogger(Shard.class);
    private static final int CHECKPOINT_PIECE = 64;
    private static final long PROPOSE_AGAIN_MS = 500;

    private final int index;
    private final ShardContext context;
    private final Loop<ShardMessage> loop;
    private final PartitionOpening opening;
    private final Map<TopicPartition, Partition> partitions = new HashMap<>();
    private final Set<Partition> touched = new LinkedHashSet<>();
    private final Queue<Partition> unforced = new ArrayDeque<>();
    private ClusterImage image;
    private boolean someAreMissing;
    private boolean stopped;

    Shard(int index, ShardContext context) {
        this.index = index;
        this.context = context;
        this.loop = context.host().loops().start("millrace-shard-" + index, context.queueCapacity(), this);
        this.opening = new PartitionOpening(context, loop, this::force);
    }

    /** Where to send messages for this shard; any thread. */
    public Loop<ShardMessage> loop() {
        return loop;
    }

    @Override
    public void handle(ShardMessage message) {
        message.deliver(this);
    }

    @Override
    public void batchEnd() {
        // Settling may touch further partitions: a coordinator that hears of a commit may append to its own.
        while (!touched.isEmpty()) {
            List<Partition> batch = new ArrayList<>(touched);
            touched.clear();
            batch.forEach(this::settle);
        }
    }

    private void settle(Partition partition) {
        partition.settle();
        if (partition.offline()) {
            context.diskFailed().run();
        }
        long deadlineMs = partition.takeDeadlineMs();
        if (deadlineMs < Long.MAX_VALUE) {
            long delayMs = deadlineMs - context.host().clock().monotonicMs();
            context.host().timers().after(delayMs, loop, new ExpireWaits(partition.name()));
        }
    }

    /** The partition of a name, or null where this shard does not have it. */
    public Partition partition(TopicPartition name) {
        return partitions.get(name);
    }

    /** To be told of every partition that may have changed, so that it is settled at the end of the batch. */
    public void touched(Partition partition) {
        touched.add(partition);
    }

    /**
     * Opens, changes and removes partitions. Images that come behind the stop change nothing: a log that was opened again
     * would be recovered beside the files of one that was closed, and a clean stop would then leave what is half recovered.
     */
    void follow(ClusterImage changed) {
        if (stopped) {
            return;
        }
        ClusterImage before = image;
        image = changed;
        if (before != null) {
            before.topics().values().stream()
                    .filter(topic -> changed.topic(topic.id()) == null)
                    .forEach(this::remove);
        }
        changed.topics().values().stream()
                .filter(topic -> before == null || hasChanged(topic, before, changed))
                .sorted((one, other) -> Boolean.compare(other.internal(), one.internal()))
                .forEach(this::follow);
    }

    /** An image shares with the one before it what has not changed. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean hasChanged(TopicImage topic, ClusterImage before, ClusterImage now) {
        return topic != before.topic(topic.name()) || now.settings() != before.settings();
    }

    private void follow(TopicImage topic) {
        Partition.PartitionSettings settings = opening.settings(image, topic);
        for (PartitionImage partition : topic.partitions()) {
            TopicPartition name = new TopicPartition(topic.name(), partition.index());
            Partition open = partitions.get(name);
            if (!context.owns(index, topic, partition)) {
                if (open != null) {
                    remove(open);
                }
                continue;
            }
            if (open == null) {
                open = open(new TopicIdPartition(topic.id(), name), settings);
            } else {
                open.settings(settings);
            }
            if (open != null) {
                follow(open, partition);
            }
        }
    }

    private Partition open(TopicIdPartition id, Partition.PartitionSettings settings) {
        try {
            Partition partition = opening.open(id, settings);
            partitions.put(partition.name(), partition);
            context.registry().opened(partition, loop);
            return partition;
        } catch (DiskException e) {
            LOG.error("{} cannot be opened and is offline until a later try: {}", id, e.getMessage());
            someAreMissing = true;
            return null;
        }
    }

    private void follow(Partition partition, PartitionImage now) {
        if (partition.hasSamePart(now)) {
            partition.follow(now);
        } else {
            context.guests().forEach(guest -> guest.leaving(partition));
            partition.follow(now);
            if (partition.leads()) {
                context.guests().forEach(guest -> guest.leading(partition, this));
            } else if (now.hasLeader()) {
                context.guests().forEach(guest -> guest.following(partition, this));
            }
        }
        touched(partition);
    }

    private void remove(TopicImage topic) {
        for (PartitionImage partition : topic.partitions()) {
            Partition open = partitions.get(new TopicPartition(topic.name(), partition.index()));
            if (open != null) {
                remove(open);
            }
        }
    }

    private void remove(Partition partition) {
        close(partition, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        try {
            partition.log().close(false);
            opening.delete(partition.name());
        } catch (DiskException e) {
            LOG.warn("{} is deleted but its files are not yet: {}", partition.id(), e.getMessage());
        }
    }

    private void close(Partition partition, ErrorCode why) {
        context.guests().forEach(guest -> guest.leaving(partition));
        context.registry().closed(partition);
        partitions.remove(partition.name());
        touched.remove(partition);
        partition.leave(why);
    }

    /** Proposes another in-sync set where there should be one. */
    void checkInSync(Partition partition) {
        LeaderState.Proposal proposal = partition.takeProposal(image::isActive);
        if (proposal != null) {
            propose(partition.id(), proposal);
        }
    }

    void propose(TopicIdPartition partition, LeaderState.Proposal proposal) {
        context.agreement().propose(partition, proposal).whenComplete((error, failure) -> {
            if (failure != null) {
                LOG.debug("{}: no answer to the in-sync set {}", partition, proposal.inSync(), failure);
            }
            ErrorCode answer = failure == null ? error : ErrorCode.UNKNOWN_SERVER_ERROR;
            loop.submit(new InSyncAnswered(partition, proposal, answer));
        });
    }

    void proposeLater(TopicIdPartition partition, LeaderState.Proposal proposal) {
        context.host().timers().after(PROPOSE_AGAIN_MS, loop, new ProposeInSync(partition, proposal));
    }

    void maintain(Maintain.Kind kind) {
        long nowMs = context.host().clock().wallMs();
        if (someAreMissing && !stopped) {
            someAreMissing = false;
            image.topics().values().forEach(this::follow);
        }
        for (Partition partition : List.copyOf(partitions.values())) {
            if (partition.offline()) {
                continue;
            }
            if (kind == Maintain.Kind.COMPACTION) {
                compact(partition);
                continue;
            }
            if (kind == Maintain.Kind.IN_SYNC) {
                checkInSync(partition);
                partition.giveUpVainWaits();
                context.guests().forEach(guest -> guest.look(partition));
                continue;
            }
            try {
                partition.applyRetention(nowMs);
            } catch (DiskException e) {
                LOG.warn("{}: retention is put off: {}", partition.name(), e.getMessage());
            }
            touched(partition);
        }
    }

    /** Begins to make durable what was written since the last time, unless that is still under way. */
    void checkpoint() {
        if (unforced.isEmpty()) {
            partitions.values().stream()
                    .filter(partition -> partition.log().needsCheckpoint())
                    .forEach(unforced::add);
            checkpointPiece();
        }
    }

    /**
     * The files are forced away from this thread; what comes of it stands in the checkpoint files of the next time. A
     * piece is small, for each of its partitions holds files open until it is done.
     */
    private void checkpointPiece() {
        for (int i = 0; i < CHECKPOINT_PIECE && !unforced.isEmpty(); i++) {
            Partition partition = unforced.remove();
            if (isOpen(partition) && !partition.offline()) {
                checkpoint(partition);
            }
        }
        Runnable next = unforced.isEmpty() ? () -> report(() -> {}) : this::checkpointPiece;
        context.checkpoints().run(() -> loop.submit(new ShardMessage.Barrier(next)));
    }

    /** What cannot be begun on a full disk is begun the next time. */
    private void checkpoint(Partition partition) {
        try {
            Checkpointing work = partition.log().beginCheckpoint();
            context.checkpoints().run(() -> force(partition.name(), work));
        } catch (DiskException e) {
            LOG.warn("{} cannot be made durable for now: {}", partition.name(), e.getMessage());
        }
    }

    private boolean isOpen(Partition partition) {
        return partitions.get(partition.name()) == partition;
    }

    private void force(Partition partition, Forcing work) {
        context.forces().run(() -> {
            DiskException failure = null;
            try {
                work.run();
            } catch (DiskException e) {
                failure = e;
            }
            loop.submit(new Forced(partition, work, failure));
        });
    }

    void forced(Forced message) {
        Partition partition = message.partition();
        if (!isOpen(partition)) {
            return;
        }
        if (message.failure() == null) {
            partition.forced(message.done());
            context.guests().forEach(guest -> guest.stored(partition));
        } else {
            partition.goOffline(message.failure());
        }
        touched(partition);
    }

    /** Runs on the loop for slow work. */
    private void force(TopicPartition partition, Checkpointing work) {
        try {
            work.run();
            loop.submit(new CheckpointDone(partition, work));
        } catch (DiskException e) {
            LOG.warn("{} cannot be made durable for now: {}", partition, e.getMessage());
        }
    }

    void damaged(Partition partition, Damage damage) {
        context.guests().forEach(guest -> guest.damaged(partition, damage, this));
    }

    /** The disk failed while a follower wrote what its leader sent. */
    public void failed(Partition partition, DiskException e) {
        if (e.kind() == DiskException.Kind.FULL) {
            LOG.warn("{} cannot follow for now: {}", partition.name(), e.getMessage());
        } else {
            partition.goOffline(e);
        }
        touched(partition);
    }

    /** Goes on compacting a partition, a piece at a time between other messages. */
    void compact(Partition partition) {
        try {
            if (partition.compactPiece(context.host().clock().wallMs())) {
                loop.submit(new Compact(partition.name()));
            }
        } catch (DiskException e) {
            partition.goOffline(e);
        }
        touched(partition);
    }

    /** Writes down where the logs begin and from where they would have to be recovered. */
    public void report(Runnable written) {
        List<Checkpoints.Line> lines = partitions.values().stream()
                .map(partition ->
                        new Checkpoints.Line(partition.name(), partition.log().lastCheckpoint()))
                .toList();
        context.checkpoints().report(new Checkpoints.Report(lines, written));
    }

    /** Closes every partition. @return whether all are such that the next start needs no recovery */
    boolean stop() {
        stopped = true;
        someAreMissing = false;
        boolean clean = true;
        for (Partition partition : List.copyOf(partitions.values())) {
            try {
                context.guests().forEach(guest -> guest.leaving(partition)); // nothing comes from a leader any more
                partition.settle();
                partition.leave(ErrorCode.NOT_LEADER_OR_FOLLOWER);
                context.registry().closed(partition);
                partition.log().close(!partition.offline());
                clean &= !partition.offline();
            } catch (DiskException e) {
                LOG.warn("{} cannot be closed cleanly and will be recovered: {}", partition.name(), e.getMessage());
                clean = false;
            }
        }
        touched.clear();
        report(() -> {});
        partitions.clear();
        return clean;
    }
}
