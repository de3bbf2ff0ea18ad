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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A quorum of several voters, and nodes that only follow: the metadata log is an Apache Ratis group. */
public final class RatisQuorum implements MetadataQuorum {
    private static final Logger LOG = LoggerFactory.getLogger(RatisQuorum.class);

    private final QuorumMembership membership;
    private final QuorumSettings settings;
    private final LocalRaft raft;
    private final Announcements announcements;
    private final Proposals proposals;
    private final Observers observers;
    private final QuorumView view;
    private long stoodAfter; // the newest term whose leader this node wanted to succeed; on the loop

    private RatisQuorum(
            Host world,
            QuorumMembership membership,
            QuorumSettings settings,
            Loop<Runnable> loop,
            RaftProperties properties) {
        this.membership = membership;
        this.settings = settings;
        this.raft = new LocalRaft(
                Peers.group(membership).getGroupId(), Peers.own(membership).getId());
        this.announcements = new Announcements(loop, membership.self());
        this.proposals = new Proposals(raft, loop, settings);
        this.observers = new Observers(membership, settings, properties, raft);
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
        RaftProperties properties = RatisProperties.of(settings, membership.own(), folder);
        RatisQuorum quorum = new RatisQuorum(world, membership, settings, loop, properties);
        quorum.run(world, folder, properties, seed);
        return quorum;
    }

    private void run(Host world, Path folder, RaftProperties properties, List<EventCodec.Entry> seed) {
        start(world, folder, properties, seed);
        if (!membership.votes() && raft.info().getLifeCycleState() != LifeCycle.State.RUNNING) {
            // Its log says that it is not a member, and Ratis would have it stand for election when it is added again.
            LOG.info("was removed from the metadata quorum before; begins with an empty log");
            raft.close();
            world.disk().delete(folder);
            world.disk().createFolders(folder);
            start(world, folder, properties, seed);
        }
    }

    private void start(Host world, Path folder, RaftProperties properties, List<EventCodec.Entry> seed) {
        Forming forming =
                new Forming(raft, membership.firstVoter(), announcements, proposals, seed, settings.electionMaxMs());
        try {
            raft.start(RaftServer.newBuilder()
                    .setServerId(raft.self())
                    .setGroup(Peers.group(membership))
                    .setProperties(properties)
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .setStateMachine(
                            new MetadataStateMachine(raft, new SnapshotFiles(world.disk()), announcements, forming))
                    .build());
        } catch (CompletionException e) {
            observers.close();
            throw new DiskException(DiskException.Kind.BROKEN, "open the metadata log in", folder, e.getCause());
        } catch (IOException e) {
            observers.close();
            throw new NetworkException("cannot listen for the metadata quorum as " + membership.own(), e);
        }
    }

    @Override
    public void start(Listener listener) {
        announcements.start(listener);
        if (!membership.votes()) {
            observers.follow();
        }
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

    /** One voter alone, because two that stand at the same time take each other's votes. If it cannot, the rest soon will. */
    @Override
    public void leaderDied(int node) {
        Announcements.Leader leader = announcements.leader();
        if (leader.node() == node && leader.term() > stoodAfter && membership.isFirstWithout(node)) {
            stoodAfter = leader.term();
            LOG.info("node {}, which leads the metadata quorum, is dead; stands for election in its place", node);
            raft.standForElection(Integer.toString(node));
        }
    }

    @Override
    public Description describe() {
        return view.describe();
    }

    /** Forgets an observer that was stopped and is not to come back; any thread. One that runs will join again. */
    public CompletableFuture<Void> remove(int node) {
        return observers.remove(node);
    }

    /** Hands the leadership over first where there is somebody to take it, so that the others need not miss it. */
    @Override
    public void close() {
        observers.close();
        if (raft.leads(announcements.leader().term())) {
            view.successor(settings.electionMaxMs()).ifPresent(this::handOver);
        }
        raft.close();
    }

    private void handOver(RaftPeerId successor) {
        long patienceMs = 2L * settings.electionMaxMs();
        try {
            raft.handOver(successor, patienceMs).get(patienceMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("could not hand the metadata quorum over to {}; it will elect a leader", successor, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
