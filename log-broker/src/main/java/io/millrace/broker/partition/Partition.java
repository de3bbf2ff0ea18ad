package io.millrace.broker.partition;

import io.millrace.broker.log.Forcing;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.OffsetAndEpoch;
import io.millrace.broker.log.PartitionLog;
import io.millrace.broker.log.ReadView;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.replication.LagLimits;
import io.millrace.broker.replication.LeaderState;
import io.millrace.broker.settings.ThrottledReplicas;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Clock;
import io.millrace.kernel.DiskException;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica of a partition on this broker.
 *
 * <p>Appends take effect at once in the log; what depends on them (acknowledgements, what readers see) is done in
 * {@link #settle}, once for everything that a batch of messages brought.
 *
 * <pre>
 * any       --this broker is chosen, in a new epoch-->  leading     takes in records and hands them to followers
 * any       --another broker leads-->                   following   takes in what the leader has
 * any       --nobody leads-->                           following   nobody
 * any       --the disk fails-->                         offline
 * </pre>
 */
public final class Partition {
    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

    /** How much is read before other messages of the shard get their turn. */
    private static final int COMPACTION_PIECE_BYTES = 4 << 20;

    private final TopicIdPartition id;
    private final int self;
    private final PartitionLog log;
    private final Clock clock;
    private final Supplier<TransactionGate> gates;
    private final Forcer forcer;
    private final Supplier<Contact> contact;
    private final Readers readers = new Readers();
    private final Watermarks watermarks;
    private final FollowerRole following;
    private volatile PartitionSettings settings;
    private LeaderRole leading;
    private LongConsumer committed = upTo -> {};
    private volatile Standing standing = Standing.NONE;
    private volatile ReadView view;
    private volatile boolean pastIsCommitted;
    private DiskException fault;
    private boolean forcing;

    /**
     * @param gates makes the gate of a leadership
     * @param contact with the controller
     */
    Partition(
            TopicIdPartition id,
            int self,
            PartitionLog log,
            PartitionSettings settings,
            Supplier<TransactionGate> gates,
            Forcer forcer,
            Supplier<Contact> contact,
            Clock clock) {
        this.id = id;
        this.self = self;
        this.log = log;
        this.settings = settings;
        this.gates = gates;
        this.forcer = forcer;
        this.contact = contact;
        this.clock = clock;
        watermarks = new Watermarks(log);
        following = new FollowerRole(name(), log, watermarks, clock, this::publish);
        publish();
    }

    public TopicIdPartition id() {
        return id;
    }

    public TopicPartition name() {
        return id.topicPartition();
    }

    public PartitionLog log() {
        return log;
    }

    /** Who leads; any thread. */
    public Standing standing() {
        return standing;
    }

    public boolean leads() {
        return leading != null;
    }

    public int leaderEpoch() {
        return standing.leaderEpoch();
    }

    /** Whether this broker leads and has committed everything that was in the log when it was chosen; any thread. */
    public boolean pastIsCommitted() {
        return pastIsCommitted;
    }

    /** What a reader may see, all of one moment; any thread. */
    public ReadView view() {
        return view;
    }

    /** Whether what followers that are not in sync fetch from here is throttled; any thread. */
    public boolean isThrottledAsLeader() {
        return settings.throttledLeaders().contains(name().partition(), self);
    }

    /** Whether what this replica fetches is throttled while it is not in sync; any thread. */
    public boolean isThrottledAsFollower() {
        return settings.throttledFollowers().contains(name().partition(), self);
    }

    private boolean isThrottledOnEitherSide(int follower) {
        return isThrottledAsLeader() || settings.throttledFollowers().contains(name().partition(), follower);
    }

    /** Whether the cluster gives this replica the part that it has. */
    boolean hasSamePart(PartitionImage image) {
        return standingIn(image).equals(standing);
    }

    private Standing standingIn(PartitionImage image) {
        return new Standing(image.leader(), image.leaderEpoch(), image.leader() == self && fault == null);
    }

    /** Takes the part that the cluster gives this replica. */
    void follow(PartitionImage image) {
        LeaderState.Members members = new LeaderState.Members(image.partitionEpoch(), image.replicas(), image.inSync());
        if (!hasSamePart(image)) {
            leave(ErrorCode.NOT_LEADER_OR_FOLLOWER);
            standing = standingIn(image);
            if (standing.leads()) {
                lead(members);
            } else if (standing.leader() != PartitionImage.NO_LEADER) {
                dropDoubtful();
            }
        } else if (leading != null && leading.state().agreed(members, clock.monotonicMs())) {
            LOG.info("{}: in sync are {}", name(), members.inSync());
        }
    }

    private void dropDoubtful() {
        try {
            following.dropDoubtful();
        } catch (DiskException e) {
            goOffline(e);
        }
    }

    private void lead(LeaderState.Members members) {
        int epoch = standing.leaderEpoch();
        following.trust();
        log.startEpoch(epoch);
        LeaderState state = new LeaderState(
                self,
                epoch,
                members,
                Math.max(watermarks.high(), log.startOffset()),
                log.endOffset(),
                watermarks.stored(),
                settings.minInSync(),
                clock.monotonicMs());
        state.throttle(this::isThrottledOnEitherSide);
        leading = new LeaderRole(name(), log, state, gates.get(), clock, this::failed);
        watermarks.high(state.highWatermark());
        publish();
    }

    /**
     * Hears of the high watermark whenever a batch of messages has been dealt with, once everything that was in the log
     * when this broker was chosen is committed, and until it no longer leads.
     */
    public void onCommitted(LongConsumer listener) {
        committed = listener;
        tellCommitted();
    }

    private void tellCommitted() {
        if (pastIsCommitted) {
            committed.accept(watermarks.high());
        }
    }

    void produce(Produce produce) {
        ErrorCode refusal = notLeading();
        if (refusal == ErrorCode.NONE) {
            leading.produce(produce, settings.minInSync());
        } else {
            produce.reply().complete(Produce.Reply.refused(refusal, fault == null ? null : fault.getMessage()));
        }
    }

    private ErrorCode notLeading() {
        if (fault != null) {
            return ErrorCode.KAFKA_STORAGE_ERROR;
        }
        return leading == null || leadsInNameAlone() ? ErrorCode.NOT_LEADER_OR_FOLLOWER : ErrorCode.NONE;
    }

    /**
     * Whether this leader hears nothing from the controller nor from a replica that is in sync, and so can promise
     * nothing: others lead by now, most likely, and clients had better look for them than wait.
     */
    public boolean leadsInNameAlone() {
        return leading != null && isCutOff() && leading.state().waitsForSilence(settings.lag(), clock.monotonicMs());
    }

    /** Whether another one may lead without this broker's knowing; any thread. */
    public boolean mayHaveSuccessor() {
        return contact.get() != Contact.HELD;
    }

    /** Whether this broker can only know the leaders of another time; any thread. */
    public boolean isCutOff() {
        return contact.get() == Contact.LOST;
    }

    /** Lets those go who wait for a leader in name alone. */
    void giveUpVainWaits() {
        if (leadsInNameAlone()) {
            leading.giveUpWaits(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        }
    }

    void registered(Registered answer) {
        if (leading != null) {
            leading.registered(answer, settings.minInSync());
        }
    }

    void endTransaction(WriteMarker marker) {
        ErrorCode refusal = notLeading();
        if (refusal == ErrorCode.NONE) {
            leading.endTransaction(marker);
        } else {
            marker.reply().complete(refusal);
        }
    }

    /**
     * Appends a batch of a coordinator's events.
     *
     * @return the offset behind it
     * @throws DiskException when it cannot be appended; nothing of it is
     */
    public long appendEvents(ByteBuffer batch) {
        if (fault != null) {
            throw fault;
        }
        return leading.appendEvents(batch);
    }

    /** A follower has everything below an offset, provided that its log is a part of this one. */
    void fetched(ReplicaFetched.Progress progress, int replica, long brokerEpoch) {
        if (leading == null || progress.leaderEpoch() != standing.leaderEpoch()) {
            return;
        }
        boolean prefix = progress.offset() <= log.endOffset();
        if (progress.lastFetchedEpoch() >= 0) {
            OffsetAndEpoch end = log.epochEndOffset(progress.lastFetchedEpoch());
            prefix &= end.epoch() == progress.lastFetchedEpoch() && end.offset() >= progress.offset();
        }
        if (prefix) {
            leading.state().fetched(replica, brokerEpoch, progress.offset(), log.endOffset(), clock.monotonicMs());
        }
    }

    /** The change of the in-sync set that is due, which counts as proposed from now on; null for none. */
    LeaderState.Proposal takeProposal(IntPredicate mayJoin) {
        if (leading == null || fault != null) {
            return null;
        }
        LeaderState.Proposal wanted = leading.state().wanted(settings.lag(), mayJoin, clock.monotonicMs());
        if (wanted != null) {
            leading.state().propose(wanted);
        }
        return wanted;
    }

    /** The leader's state, or null while another broker leads. */
    LeaderState leaderState() {
        return leading == null ? null : leading.state();
    }

    /** Whether a follower may ask for more: what it asks for tells the leader what it has stored. */
    public boolean readyToFetch() {
        return fault == null && !standing.leads() && watermarks.isAllStored();
    }

    /** What is to be done with what a leader answers. */
    public FollowerRole following() {
        return following;
    }

    void await(FetchWaits.Wait wait, FetchWaits.Reader reader) {
        if (fault != null || wait.sight().end(view) > wait.seenEnd()) {
            reader.wake();
        } else {
            readers.add(wait, reader);
        }
    }

    /** Moves the start of the log. @return the new start */
    long deleteRecordsBefore(long offset) {
        log.moveStartOffset(Math.min(offset, watermarks.high()));
        return log.startOffset();
    }

    void applyRetention(long nowMs) {
        log.rollIfDue(nowMs);
        log.applyRetention(nowMs, watermarks.high());
        log.deleteFilesDue(nowMs);
        log.expireProducers(nowMs);
        log.rest();
    }

    /** @return whether there is more to compact right now */
    boolean compactPiece(long nowMs) {
        log.deleteFilesDue(nowMs);
        return log.compact(nowMs, watermarks.high(), COMPACTION_PIECE_BYTES);
    }

    void settings(PartitionSettings changed) {
        settings = changed;
        log.updateSettings(changed.log());
        if (leading != null) {
            leading.state().require(changed.minInSync());
        }
    }

    /** Deals with everything that a batch of messages brought: storage, watermarks, acknowledgements, readers. */
    void settle() {
        if (fault != null) {
            if (leading != null) {
                leading.fail(ErrorCode.KAFKA_STORAGE_ERROR);
            }
            return;
        }
        if (!settings.forced()) {
            watermarks.allStored();
        } else if (!watermarks.isAllStored() && !forcing) {
            force();
        }
        if (leading != null) {
            leading.state().stored(watermarks.stored(), clock.monotonicMs());
            watermarks.high(leading.state().highWatermark());
        }
        publish();
        if (leading != null) {
            leading.acknowledge(watermarks.stored());
        }
        tellCommitted();
        readers.wake(view);
    }

    private void force() {
        try {
            Forcing begun = log.beginForce();
            forcing = true;
            forcer.force(this, begun);
        } catch (DiskException e) {
            LOG.warn(
                    "{} cannot be forced for now: {}", name(), failed(e)); // tried again when the next batch is settled
        }
    }

    /** What came behind the forced offset meanwhile is forced next, all of it at once. */
    void forced(Forcing done) {
        forcing = false;
        if (log.completeForce(done)) {
            watermarks.storedUpTo(done.offset());
        }
    }

    private void publish() {
        long high = watermarks.high();
        view = log.view(high, Math.min(high, log.firstUnstableOffset(high)));
        pastIsCommitted = leading != null && leading.state().caughtUpWithPast();
    }

    /** See {@link LeaderRole#takeDeadlineMs}. */
    long takeDeadlineMs() {
        return leading == null ? Long.MAX_VALUE : leading.takeDeadlineMs();
    }

    void expireWaits() {
        if (leading != null) {
            leading.expireWaits();
        }
    }

    /** The log is in order after a failed write when the disk was merely full; otherwise nothing can be promised. */
    private String failed(DiskException e) {
        if (e.kind() != DiskException.Kind.FULL) {
            goOffline(e);
        }
        return e.getMessage();
    }

    void goOffline(DiskException e) {
        fault = e;
        if (leading != null) {
            leading.fail(ErrorCode.KAFKA_STORAGE_ERROR);
        }
        LOG.error("{} goes offline: {}; repair the disk and restart the broker", name(), e.getMessage());
    }

    /** Whether the disk failed under this partition. */
    public boolean offline() {
        return fault != null;
    }

    /** Ends everything that waits; the log stays open. */
    void leave(ErrorCode why) {
        if (leading != null) {
            leading.fail(why);
            leading = null;
        }
        standing = new Standing(standing.leader(), standing.leaderEpoch(), false);
        committed = upTo -> {};
        pastIsCommitted = false;
        readers.wakeAll();
    }

    /** Runs a force elsewhere; {@link #forced} or {@link #goOffline} is called on the shard when it has ended. */
    interface Forcer {
        void force(Partition partition, Forcing forcing);
    }

    /** What of a topic's settings matters here. */
    public record PartitionSettings(
            LogSettings log,
            int minInSync,
            boolean forced,
            LagLimits lag,
            ThrottledReplicas throttledLeaders,
            ThrottledReplicas throttledFollowers) {}
}
