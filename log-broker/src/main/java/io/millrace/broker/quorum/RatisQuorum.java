package io.millrace.broker.quorum;

import io.millrace.broker.metadata.MetadataQuorum;
import io.millrace.broker.metadata.proto.ProposalRecord;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.NetworkException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A quorum of several voters, and nodes that only follow: the metadata log is an Apache Ratis group. */
public final class RatisQuorum implements MetadataQuorum {
    private static final Logger LOG = LoggerFactory.getLogger(RatisQuorum.class);

    private static final long REOPEN_MS = 1_000;

    private final Host world;
    private final QuorumMembership membership;
    private final QuorumSettings settings;
    private final Path folder;
    private final List<EventCodec.Entry> seed;
    private final RaftProperties properties;
    private final TermFile termFile;
    private final LocalRaft raft;
    private final Announcements announcements;
    private final Proposals proposals;
    private final LeaderClient leaderClient;
    private final Observers observers;
    private final SilenceWatch watch;
    private final QuorumView view;
    private boolean closed;
    private long stoodAfter; // the newest term whose leader this node wanted to succeed; on the loop

    private RatisQuorum(
            Host world,
            QuorumMembership membership,
            QuorumSettings settings,
            Path folder,
            Loop<Runnable> loop,
            List<EventCodec.Entry> seed) {
        this.world = world;
        this.membership = membership;
        this.settings = settings;
        this.folder = folder;
        this.seed = seed;
        this.properties = RatisProperties.of(settings, membership.own(), folder);
        RaftGroupId group = Peers.group(membership).getGroupId();
        this.termFile = new TermFile(world.disk(), folder, group);
        this.raft = new LocalRaft(group, Peers.own(membership).getId());
        this.announcements = new Announcements(loop, membership.self());
        this.proposals = new Proposals(raft, loop, settings);
        this.leaderClient = new LeaderClient(membership, settings, properties);
        this.observers = new Observers(membership, settings, leaderClient);
        this.watch = membership.votes()
                ? new SilenceWatch(raft, settings.silenceMs(), "looks for it", this::askForElection)
                : new SilenceWatch(raft, settings.silenceMs(), "joins again", observers::joinAgain);
        this.view = new QuorumView(raft, announcements, world.clock());
    }

    /**
     * Opens this node's part of the log, or begins one, and takes part in elections from now on.
     *
     * @param folder of this node's part, for nothing else
     * @param loop runs what the listener is told, and proposes
     * @param seed the records of a node that was alone before, which becomes the first voter; ignored once the quorum is
     *     formed
     * @throws NetworkException when the port is taken
     * @throws DiskException when the log cannot be read
     */
    public static RatisQuorum open(
            Host world,
            QuorumMembership membership,
            QuorumSettings settings,
            Path folder,
            Loop<Runnable> loop,
            List<EventCodec.Entry> seed) {
        world.disk().createFolders(folder);
        RatisQuorum quorum = new RatisQuorum(world, membership, settings, folder, loop, seed);
        try {
            quorum.open();
        } catch (DiskException | NetworkException e) {
            quorum.closeRequests();
            throw e;
        }
        return quorum;
    }

    private void open() {
        startRaft();
        if (!membership.votes() && raft.info().getLifeCycleState() != LifeCycle.State.RUNNING) {
            // Its log says that it is not a member, and Ratis would have it stand for election when it is added again.
            LOG.info("was removed from the metadata quorum before; begins with an empty log");
            raft.close();
            world.disk().delete(folder);
            world.disk().createFolders(folder);
            startRaft();
        }
    }

    private void startRaft() {
        termFile.mend();
        Forming forming =
                new Forming(raft, membership.firstVoter(), announcements, proposals, seed, settings.electionMaxMs());
        try {
            raft.start(RaftServer.newBuilder()
                    .setServerId(raft.self())
                    .setGroup(Peers.group(membership))
                    .setProperties(properties)
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .setStateMachine(new MetadataStateMachine(
                            raft, new SnapshotFiles(world.disk()), announcements, forming, this::reopenLater))
                    .build());
        } catch (CompletionException e) {
            throw new DiskException(DiskException.Kind.BROKEN, "open the metadata log in", folder, e.getCause());
        } catch (IOException e) {
            throw new NetworkException("cannot listen for the metadata quorum as " + membership.own(), e);
        }
    }

    private void reopenLater() {
        CompletableFuture.delayedExecutor(REOPEN_MS, TimeUnit.MILLISECONDS).execute(this::reopen);
    }

    /** Ratis closes a log that it cannot write, most likely because the disk is full, and does not open it again. */
    synchronized void reopen() {
        if (closed) {
            return;
        }
        raft.close();
        try {
            open();
            LOG.info("the metadata log of this node is open again");
        } catch (DiskException | NetworkException e) {
            LOG.warn("the metadata log of this node cannot be opened yet: {}", e.getMessage());
            reopenLater();
        }
    }

    @Override
    public void start(Listener listener) {
        announcements.start(listener);
        announcements.whenLeaderChanges(termFile::keep);
        if (membership.votes()) {
            watch.start();
        } else {
            observers.join().thenRun(watch::start);
        }
    }

    /**
     * Where a voter is in a later term than the leader, it takes nothing from it, and while others follow that leader it
     * wins no vote. Ratis' leader steps down for the later term, but not for a voter to which it had to begin anew.
     */
    private CompletableFuture<Void> askForElection() {
        return CompletableFuture.runAsync(() -> {
            try {
                if (leaderClient.term() < raft.info().getCurrentTerm()) {
                    LOG.warn("is in a later term than the leader of the metadata quorum, which is asked to step down");
                    leaderClient.stepDown();
                }
            } catch (IOException e) {
                LOG.info("the leader of the metadata quorum cannot be asked: {}", e.getMessage());
            }
        });
    }

    @Override
    public void propose(long term, long number, List<EventCodec.Entry> records) {
        ProposalRecord.Builder unit = ProposalRecord.newBuilder().setTerm(term).setNumber(number);
        records.forEach(record -> unit.addEntries(QuorumState.record(record)));
        proposals.propose(unit.build());
    }

    /** Nothing to do: Ratis forces what has gathered while it forced the last time. */
    @Override
    public void batchEnd() {}

    /**
     * One voter at a time, because two that stand at once take each other's votes. The next one stands only where nobody
     * leads by then: those before it may be down, too, or lack entries that the others have.
     */
    @Override
    public void leaderDied(int node) {
        Announcements.Leader leader = announcements.leader();
        if (leader.node() == node && leader.term() > stoodAfter && membership.votes()) {
            stoodAfter = leader.term();
            long turnMs = (long) membership.placeWithout(node) * settings.electionMinMs() / 2;
            CompletableFuture.delayedExecutor(turnMs, TimeUnit.MILLISECONDS).execute(() -> succeed(leader));
        }
    }

    private void succeed(Announcements.Leader dead) {
        if (announcements.leader().equals(dead)) {
            LOG.info(
                    "node {}, which leads the metadata quorum, is dead; stands for election in its place", dead.node());
            raft.standForElection(Integer.toString(dead.node()));
        }
    }

    @Override
    public boolean holdsMajority() {
        return raft.leads(announcements.leader().term()) && view.silenceOfMajorityMs() <= settings.electionMinMs();
    }

    @Override
    public Description describe() {
        return view.describe();
    }

    /** Forgets an observer that was stopped and is not to come back; any thread. One that runs will join again. */
    public CompletableFuture<Void> remove(int node) {
        return observers.remove(node);
    }

    @Override
    public CompletableFuture<Void> resign() {
        if (!raft.leads(announcements.leader().term())) {
            return CompletableFuture.completedFuture(null);
        }
        return view.successor(settings.electionMaxMs())
                .map(this::handOver)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<Void> handOver(RaftPeerId successor) {
        long patienceMs = 2L * settings.electionMaxMs();
        return raft.handOver(successor, patienceMs)
                .orTimeout(patienceMs, TimeUnit.MILLISECONDS)
                .handle((answer, failure) -> {
                    if (failure != null) {
                        LOG.info(
                                "could not hand the metadata quorum over to {}; it will elect a leader",
                                successor,
                                failure);
                    }
                    return null;
                });
    }

    @Override
    public synchronized void close() {
        closed = true;
        closeRequests();
        resign().join();
        raft.close();
    }

    /** For tests. */
    LocalRaft raft() {
        return raft;
    }

    private void closeRequests() {
        watch.close();
        observers.close();
        leaderClient.close();
    }
}
