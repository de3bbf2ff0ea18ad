package io.millrace.broker;

import io.millrace.broker.api.ApiContext;
import io.millrace.broker.api.ColdReads;
import io.millrace.broker.api.Handlers;
import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.group.GroupCommand;
import io.millrace.broker.group.GroupEffect;
import io.millrace.broker.group.GroupEvent;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.Controller;
import io.millrace.broker.metadata.ProducerIdBlock;
import io.millrace.broker.metadata.TopicDefaults;
import io.millrace.broker.partition.Checkpoint;
import io.millrace.broker.partition.Checkpoints;
import io.millrace.broker.partition.DataFolder;
import io.millrace.broker.partition.Forces;
import io.millrace.broker.partition.Maintain;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.ReplicationThrottle;
import io.millrace.broker.partition.ShardContext;
import io.millrace.broker.partition.ShardSet;
import io.millrace.broker.peers.BrokerLife;
import io.millrace.broker.peers.InSyncProposals;
import io.millrace.broker.peers.PeerTransactions;
import io.millrace.broker.peers.ReplicaFetchers;
import io.millrace.broker.peers.ReplicaRepairs;
import io.millrace.broker.server.BrokerServer;
import io.millrace.broker.server.Dispatch;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.settings.Values;
import io.millrace.broker.transactions.HangingTransactions;
import io.millrace.broker.transactions.MarkerWriter;
import io.millrace.broker.transactions.Registrations;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.Host;
import io.millrace.kernel.Timers;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnEffect;
import io.millrace.txn.TxnEvent;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker: all its parts, started in order and stopped in reverse. */
public final class BrokerNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerNode.class);
    private static final int QUEUE = 8192;

    private final AutoCloseable lock;
    private final DataFolder folder;
    private final Membership membership;
    private final Checkpoints checkpoints;
    private final Forces forces;
    private final ShardSet shards;
    private final ColdReads coldReads;
    private final BrokerServer server;
    private final List<Timers.Timer> housekeeping;
    private final String host;
    private final CompletableFuture<Void> ready;

    private BrokerNode(Host world, BrokerConfig config, QuorumMaker quorums) {
        Values values = config.values();
        world.disk().createFolders(config.data());
        lock = world.disk().lock(config.data().resolve(DataFolder.LOCK));
        folder = new DataFolder(world.disk(), config.data());
        int nodeId = values.number(BrokerSettings.NODE_ID);
        String clusterId = values.text(BrokerSettings.CLUSTER_ID);
        String fresh = clusterId.isEmpty() ? freshClusterId(world.entropy().uuid()) : clusterId;
        DataFolder.Identity identity = folder.identify(new DataFolder.Identity(fresh, nodeId), clusterId);
        server = BrokerServer.bind(
                world.network(),
                values.text(BrokerSettings.HOST),
                values.number(BrokerSettings.PORT),
                values.number(BrokerSettings.REQUEST_MAX_BYTES));
        host = advertisedHost(values);
        TopicDefaults defaults = new TopicDefaults(nodeId, config.settings());
        membership = new Membership(
                world,
                values,
                defaults,
                folder,
                new BrokerLife.Self(
                        nodeId,
                        identity.clusterId(),
                        host,
                        server.port(),
                        values.text(BrokerSettings.RACK),
                        values.number(BrokerSettings.BROKER_HEARTBEAT_INTERVAL_MS),
                        values.number(BrokerSettings.BROKER_SESSION_TIMEOUT_MS)),
                quorums,
                config.isAlone() ? Map.of() : config.voters().addresses());
        Controller controller = membership.controller();

        PartitionRegistry registry = new PartitionRegistry();
        ProducerIdBlock producerIds = new ProducerIdBlock(membership.life()::takeProducerIds);
        PeerTransactions peers = new PeerTransactions(membership.peers());
        AtomicReference<Coordinators<GroupCommand, ?, ?>> groupsLater = new AtomicReference<>();
        MarkerWriter markers = new MarkerWriter(registry, controller::image, groupsLater::get, peers, nodeId);
        Coordinators<TxnCommand, TxnEvent, TxnEffect> transactions = new Coordinators<>(
                CoordinatorKinds.transactions(values, producerIds, markers), world, controller::image);
        Registrations registrations = new Registrations(transactions, peers, controller::image, nodeId);
        Coordinators<GroupCommand, GroupEvent, GroupEffect> groups = new Coordinators<>(
                CoordinatorKinds.groups(values, world.entropy(), registrations, groupsLater::get),
                world,
                controller::image);
        groupsLater.set(groups);
        checkpoints = new Checkpoints(world, folder);
        forces = new Forces(world);
        ReplicaFetchers fetchers = new ReplicaFetchers(
                world,
                nodeId,
                controller::image,
                membership.life()::epoch,
                ReplicationThrottle.ofFollower(world.clock(), defaults, controller::image));
        shards = new ShardSet(new ShardContext(
                world,
                values.number(BrokerSettings.SHARDS),
                QUEUE,
                defaults,
                folder,
                registry,
                checkpoints,
                forces,
                registrations,
                new InSyncProposals(membership.line(), nodeId, membership.life()::epoch),
                membership.life()::contact,
                List.of(groups, transactions, fetchers, new ReplicaRepairs(world, nodeId, controller::image)),
                config.isAlone() ? () -> {} : membership.life()::retire));
        controller.follow(new DeletedTopics(groups));
        membership.follow(shards::announce);
        housekeeping = List.of(
                shards.repeat(
                        values.large(BrokerSettings.RETENTION_CHECK_INTERVAL_MS),
                        new Maintain(Maintain.Kind.RETENTION)),
                shards.repeat(
                        values.large(BrokerSettings.RETENTION_CHECK_INTERVAL_MS),
                        new HangingTransactions(
                                        registry, transactions, groups, peers, controller::image, world.clock(), nodeId)
                                ::sweep),
                shards.repeat(inSyncCheckMs(values), new Maintain(Maintain.Kind.IN_SYNC)),
                shards.repeat(values.large(BrokerSettings.CLEANER_INTERVAL_MS), new Maintain(Maintain.Kind.COMPACTION)),
                shards.repeat(values.large(BrokerSettings.CHECKPOINT_INTERVAL_MS), new Checkpoint()));
        coldReads = new ColdReads(world);
        Dispatch handlers = Handlers.of(new ApiContext(
                world,
                controller,
                membership.line(),
                membership.deathWatch(),
                defaults,
                registry,
                shards,
                ReplicationThrottle.ofLeader(world.clock(), defaults, controller::image),
                groups,
                transactions,
                markers,
                producerIds,
                coldReads,
                config.data(),
                config.isAlone()));
        if (!config.isAlone()) {
            server.serve(handlers); // the others may need this node to become a cluster at all
        }
        ready = membership
                .join()
                .thenCompose(joined -> shards.reached())
                .thenCompose(opened -> producerIds.refill())
                .thenRun(() -> {
                    if (config.isAlone()) {
                        server.serve(handlers);
                    }
                    LOG.info("node {} of cluster {} serves {}", nodeId, identity.clusterId(), bootstrap());
                });
    }

    /**
     * Starts a broker, which answers once it is {@link #ready}.
     *
     * @throws io.millrace.kernel.DiskException when its folder cannot be used
     * @throws io.millrace.kernel.NetworkException when its address is taken
     */
    public static BrokerNode start(Host world, BrokerConfig config, QuorumMaker quorums) {
        return new BrokerNode(world, config, quorums);
    }

    /** Completes when the first request would succeed. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    /** Often enough to notice what is too long, and that this node has slept. */
    private static long inSyncCheckMs(Values values) {
        long lagMs = values.large(BrokerSettings.REPLICA_LAG_TIME_MAX_MS);
        long stallMs = values.large(BrokerSettings.REPLICA_STALL_TIME_MAX_MS);
        return Math.max(1, Math.min(lagMs / 2, stallMs / 4));
    }

    private static String freshClusterId(UUID random) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        bytes.putLong(random.getMostSignificantBits()).putLong(random.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private static String advertisedHost(Values values) {
        String advertised = values.text(BrokerSettings.ADVERTISED_HOST);
        String listening = values.text(BrokerSettings.HOST);
        if (!advertised.isEmpty()) {
            return advertised;
        }
        return listening.equals("0.0.0.0") ? "localhost" : listening;
    }

    /** Where clients connect, as {@code host:port}. */
    public String bootstrap() {
        return host + ":" + server.port();
    }

    public int port() {
        return server.port();
    }

    public String clusterId() {
        return membership.controller().image().clusterId();
    }

    /** The metadata as this node knows it, and the position in the metadata log that it stands for; any thread. */
    public ClusterImage image() {
        return membership.controller().image();
    }

    /** See {@link #image}; on the metadata loop both are of one moment. */
    public long metadataPosition() {
        return membership.controller().position();
    }

    /** Under which epoch this process is registered, or -1. */
    public long epoch() {
        return membership.life().epoch();
    }

    /** Stops so that the next start needs no recovery; returns when that is done. */
    @Override
    public void close() throws Exception {
        WaitingThread thread = new WaitingThread();
        thread.await(stop(thread));
    }

    /**
     * The same without waiting.
     *
     * @param steps where the steps of it run: on none of this broker's threads, for they are ended
     */
    public CompletableFuture<Void> stop(Executor steps) {
        return membership
                .handOver()
                .thenComposeAsync(relieved -> closePartitions(), steps)
                .thenAcceptAsync(this::end, steps);
    }

    private CompletableFuture<Boolean> closePartitions() {
        server.close();
        housekeeping.forEach(Timers.Timer::cancel);
        return shards.stop();
    }

    private void end(boolean clean) {
        shards.close();
        coldReads.close();
        forces.close();
        checkpoints.close();
        membership.close();
        if (clean) {
            markCleanStop();
        }
        try {
            lock.close();
        } catch (Exception e) { // as it is declared; whoever waits for the stop hears of it
            throw new CompletionException(e);
        }
    }

    private void markCleanStop() {
        try {
            folder.markCleanStop();
        } catch (DiskException e) {
            LOG.warn("the stop cannot be marked as clean, so the next start checks the logs: {}", e.getMessage());
        }
    }
}
