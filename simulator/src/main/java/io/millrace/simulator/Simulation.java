package io.millrace.simulator;

import io.millrace.broker.BrokerNode;
import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.kernel.Disk;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import io.millrace.simulator.checker.Attendance;
import io.millrace.simulator.checker.Leadership;
import io.millrace.simulator.checker.Ledger;
import io.millrace.simulator.checker.Promises;
import io.millrace.simulator.checker.Replicas;
import io.millrace.simulator.checker.Violation;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.cluster.Broker;
import io.millrace.simulator.cluster.Cluster;
import io.millrace.simulator.nemesis.Nemesis;
import io.millrace.simulator.workload.Bench;
import io.millrace.simulator.workload.Load;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One run: a cluster is started, clients work while faults come and go, all is healed, and what has become of the clients'
 * records is held against what they were promised.
 */
public final class Simulation {
    private static final List<String> CLIENTS = List.of("c1", "c2", "c3");
    private static final List<String> MEMBERS = List.of("m1", "m2", "m3");
    private static final long LIMIT_MS = 240_000;
    private static final long LOOK_MS = 250;

    /** In which the last records reach the last replicas. */
    private static final long QUIET_MS = 3_000;

    private final SimWorld world;
    private final Plan plan;
    private final Cluster cluster;
    private final Ledger ledger = new Ledger();
    private final Leadership leadership = new Leadership();
    private final Attendance attendance = new Attendance();
    private final Nemesis nemesis;
    private final Load load;
    private boolean calm; // no more is wrong than that processes come and go
    private Throwable violation;

    /** @param trace hears of every event; null for nobody */
    public Simulation(long seed, Consumer<String> trace) {
        this(seed, trace, Bench.ALL_REPLICAS);
    }

    /** @param acks for tests of the checks: whose word clients take for that of all replicas */
    Simulation(long seed, Consumer<String> trace, short acks) {
        SplittableRandom random = new SplittableRandom(seed);
        world = new SimWorld(random.nextLong());
        world.trace(trace);
        plan = Plan.of(random.split());
        world.note("simulation", plan.toString());
        cluster = new Cluster(world, random.split(), plan.brokers(), plan.settings());
        cluster.agreement()
                .follow(unit -> guard(() -> {
                    leadership.check(cluster.metadata().newest());
                    attendance.check(cluster.metadata().newest(), this::isSteady);
                }));
        world.network().delay(1, 4);
        List<Bench> benches = CLIENTS.stream().map(name -> bench(name, acks)).toList();
        List<Bench> members = MEMBERS.stream().map(name -> bench(name, acks)).toList();
        load = new Load(benches, members, plan.partitions(), Cluster.rack(random.nextInt(plan.brokers())));
        load.operatedBy(
                benches.get(0),
                plan.brokers(),
                Plan.REPLICAS,
                () -> cluster.metadata().newest());
        List<String> clients = Stream.of(CLIENTS, MEMBERS).flatMap(List::stream).toList();
        nemesis = new Nemesis(cluster, random.split(), plan.forced(), plan.onlyEnds(), clients);
    }

    private Bench bench(String name, short acks) {
        Map<Integer, String> addresses = new TreeMap<>();
        cluster.brokers()
                .forEach(broker -> addresses.put(broker.id(), broker.machine().name()));
        Client client = new Client(world.machine(name, new SimDisk()), addresses, Broker.PORT);
        return new Bench(client, ledger, acks, this::found);
    }

    private void found(Throwable failure) {
        if (violation == null) {
            violation = failure;
        }
    }

    private void guard(Runnable check) {
        try {
            check.run();
        } catch (RuntimeException e) {
            found(e);
        }
    }

    /** @throws Violation for the first thing that must not happen */
    public Result run() {
        try {
            cluster.start();
            until("the cluster is whole", cluster::isWhole);
            load.createTopics(Plan.REPLICAS);
            until("the topics are there", () -> load.isReady() && cluster.isWhole());
            load.start();
            calm = plan.onlyEnds();
            nemesis.start();
            look();
            world.runUntil(() -> violation != null, plan.faultsMs());
            load.stop();
            nemesis.healAll();
            until("the cluster is whole again", cluster::isWhole);
            // not sooner: whoever was cut off is found silent up to a session later
            world.at(plan.sessionMs(), "calm", () -> calm = true);
            until("every client has its answers", load::isIdle);
            load.readAll();
            until("everything is read", load::hasRead);
            load.readNoMore();
            until("the cluster is whole for good", cluster::isWhole); // a stop may have ended meanwhile
            world.runUntil(() -> violation != null, QUIET_MS);
            checkInTheEnd();
            return soFar();
        } catch (Violation e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw new Violation("a broker failed", e);
        }
    }

    private boolean isSteady(BrokerImage broker) {
        BrokerNode process = cluster.brokers().get(broker.id() - 1).node();
        return calm && process != null && process.epoch() == broker.epoch();
    }

    /** What has happened up to now. */
    Result soFar() {
        return new Result(
                world.fingerprint(), world.steps(), ledger.promises(), plan + " at " + world.elapsedMs() + " ms");
    }

    private void until(String what, BooleanSupplier condition) {
        world.note("simulation", "until " + what);
        boolean reached = world.runUntil(() -> violation != null || condition.getAsBoolean(), LIMIT_MS);
        if (violation instanceof Violation named) {
            throw named;
        }
        if (violation != null) {
            throw new Violation("an answer that nobody expects", violation);
        }
        if (!reached) {
            throw new Violation(
                    "liveness",
                    "after " + LIMIT_MS + " ms without faults: not " + what + "; " + cluster.ailments() + "; busy: "
                            + load.busy());
        }
    }

    /** I8: what each broker has made of the events that it has heard of is what they say. */
    private void look() {
        for (Broker broker : cluster.brokers()) {
            BrokerNode node = broker.node();
            if (node != null && node.metadataPosition() >= 0) {
                guard(() -> {
                    ClusterImage expected = cluster.metadata().at(node.metadataPosition());
                    if (!node.image().equals(expected)) {
                        throw new Violation(
                                "I8",
                                "n" + broker.id() + " has " + node.image() + " at position " + node.metadataPosition()
                                        + ", the events say " + expected);
                    }
                });
            }
        }
        world.at(LOOK_MS, "look", this::look);
    }

    private void checkInTheEnd() {
        new Promises(ledger, load.all(), load.committed()).check();
        load.copyChecks().forEach(check -> check.check(load.committed()));
        ClusterImage image = cluster.metadata().newest();
        for (TopicImage topic : image.topics().values()) {
            for (PartitionImage partition : topic.partitions()) {
                Map<Integer, Disk> disks = new TreeMap<>();
                partition
                        .replicas()
                        .forEach(node -> disks.put(
                                node, cluster.brokers().get(node - 1).machine().disk()));
                String name = topic.name() + "-" + partition.index();
                Replicas.check(name, disks, Broker.DATA.resolve(name));
            }
        }
    }

    /**
     * What has become of a run.
     *
     * @param fingerprint of everything that happened, in its order
     * @param moment what was run, and up to when
     */
    public record Result(long fingerprint, long steps, long promises, String moment) {}
}
