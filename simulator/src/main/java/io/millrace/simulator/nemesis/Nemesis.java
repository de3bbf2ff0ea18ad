package io.millrace.simulator.nemesis;

import io.millrace.kernel.sim.SimNetwork;
import io.millrace.kernel.sim.SimWorld;
import io.millrace.simulator.cluster.Broker;
import io.millrace.simulator.cluster.Cluster;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Brings one fault after another, several at a time, and heals all of them in the end. */
public final class Nemesis {
    private static final long START_AGAIN_MS = 500;
    private static final long HOUR_MS = 3_600_000;

    private final Cluster cluster;
    private final SimWorld world;
    private final SimNetwork network;
    private final SplittableRandom random;
    private final boolean anyPowerCut;
    private final boolean onlyEnds;
    private final List<String> machines;
    private boolean over;

    /**
     * @param anyPowerCut whether nothing that counts is lost when the power fails everywhere
     * @param onlyEnds whether processes are killed and stopped, and nothing else happens
     * @param clients machines that can be cut off, too
     */
    public Nemesis(
            Cluster cluster, SplittableRandom random, boolean anyPowerCut, boolean onlyEnds, List<String> clients) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.network = world.network();
        this.random = random;
        this.anyPowerCut = anyPowerCut;
        this.onlyEnds = onlyEnds;
        this.machines = Stream.concat(
                        cluster.brokers().stream()
                                .map(broker -> broker.machine().name()),
                        clients.stream())
                .toList();
    }

    public void start() {
        world.at(random.nextLong(200, 2_500), "nemesis", () -> {
            if (!over) {
                act();
                start();
            }
        });
    }

    private void act() {
        if (onlyEnds || random.nextInt(8) < 3) {
            end(any());
        } else {
            disturb(any());
        }
    }

    private void end(Broker broker) {
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> kill(broker);
            case 3, 4 -> stop(broker);
            default -> killLeader();
        }
    }

    private void disturb(Broker broker) {
        switch (random.nextInt(10)) {
            case 0 -> powerCut(broker);
            case 1 -> pause(broker);
            case 2 -> cutPair(broker, random.nextBoolean());
            case 3 -> cutOff(broker);
            case 4 -> slow(broker);
            case 5 -> lossy(broker);
            case 6 -> reset(broker);
            case 7 -> cluster.agreement().depose();
            case 8 -> fill(broker);
            default -> setClock(broker);
        }
    }

    private Broker any() {
        return cluster.brokers().get(random.nextInt(cluster.brokers().size()));
    }

    private long shortly() {
        return random.nextInt(3) == 0 ? random.nextLong(1_000, 12_000) : random.nextLong(20, 1_500);
    }

    private void later(long delayMs, String what, Runnable action) {
        world.at(delayMs, what, () -> {
            if (!over) {
                action.run();
            }
        });
    }

    private void note(String what, Broker broker) {
        world.note("nemesis", what + " " + broker.machine().name());
    }

    private void killLeader() {
        int leader = cluster.agreement().leader();
        if (leader > 0) {
            kill(cluster.brokers().get(leader - 1));
        }
    }

    private void kill(Broker broker) {
        if (broker.machine().isUp()) {
            note("kill", broker);
            broker.kill();
            startLater(broker, shortly());
        }
    }

    /** A controlled stop, which ends by itself even when all is being healed; so the start comes by itself, too. */
    private void stop(Broker broker) {
        if (broker.machine().isUp()) {
            note("stop", broker);
            broker.stop(() -> world.at(shortly(), "start", () -> start(broker)));
        }
    }

    /** The wall clock jumps, and stays wrong. */
    private void setClock(Broker broker) {
        long aheadMs = random.nextInt(3) == 0 ? random.nextLong(-HOUR_MS, HOUR_MS) : random.nextLong(-5_000, 5_000);
        note("clock " + aheadMs + " ms ahead", broker);
        broker.machine().setClock(aheadMs);
    }

    private void startLater(Broker broker, long delayMs) {
        later(delayMs, "start", () -> start(broker));
    }

    private void start(Broker broker) {
        note("start", broker);
        if (!broker.machine().isUp() && !broker.start()) {
            world.at(START_AGAIN_MS, "start", () -> start(broker));
        }
    }

    private void powerCut(Broker broker) {
        if (broker.machine().isUp() && (anyPowerCut || cluster.allUpAndInSync())) {
            note("power cut", broker);
            broker.powerCut(random);
            startLater(broker, shortly());
        }
    }

    private void pause(Broker broker) {
        if (broker.machine().isUp() && !broker.machine().isAsleep()) {
            note("pause", broker);
            broker.machine().pause();
            later(shortly(), "resume", broker.machine()::resume);
        }
    }

    private void cutPair(Broker broker, boolean bothWays) {
        String one = broker.machine().name();
        String other = machines.get(random.nextInt(machines.size()));
        if (one.equals(other)) {
            return;
        }
        world.note("nemesis", "cut " + one + " > " + other + (bothWays ? " both ways" : ""));
        network.cut(one, other);
        if (bothWays) {
            network.cut(other, one);
        }
        later(shortly(), "heal", () -> {
            network.heal(one, other);
            network.heal(other, one);
        });
    }

    /** From all others or from the other brokers alone; in both directions, or it hears or is heard of still. */
    private void cutOff(Broker broker) {
        String name = broker.machine().name();
        int directions = random.nextInt(4);
        boolean clients = random.nextBoolean();
        List<String> others = machines.stream()
                .filter(other -> !other.equals(name) && (clients || other.startsWith("n")))
                .toList();
        note("cut off (" + directions + (clients ? ", clients too)" : ")"), broker);
        for (String other : others) {
            if (directions != 1) {
                network.cut(name, other);
            }
            if (directions != 2) {
                network.cut(other, name);
            }
        }
        later(
                shortly(),
                "heal",
                () -> others.forEach(other -> {
                    network.heal(name, other);
                    network.heal(other, name);
                }));
    }

    private void slow(Broker broker) {
        String name = broker.machine().name();
        long most = random.nextLong(5, 600);
        note("slow " + most, broker);
        machines.forEach(other -> network.delay(name, other, 1, most));
        later(shortly(), "heal", () -> machines.forEach(other -> network.heal(name, other)));
    }

    private void lossy(Broker broker) {
        String name = broker.machine().name();
        int perMille = random.nextInt(1, 80);
        note("lossy " + perMille, broker);
        machines.forEach(other -> network.loss(name, other, perMille));
        later(shortly(), "heal", () -> machines.forEach(other -> network.heal(name, other)));
    }

    private void reset(Broker broker) {
        note("reset", broker);
        machines.stream()
                .filter(other -> !other.equals(broker.machine().name()))
                .forEach(other -> network.reset(broker.machine().name(), other));
    }

    private void fill(Broker broker) {
        note("full disk", broker);
        broker.machine().disk().capacity(broker.machine().disk().usedBytes() + random.nextLong(2_000));
        later(shortly(), "space again", () -> broker.machine().disk().capacity(Long.MAX_VALUE));
    }

    /** No more faults, and an end to those that there are. */
    public void healAll() {
        over = true;
        world.note("nemesis", "heals all");
        network.healAll();
        for (Broker broker : cluster.brokers()) {
            broker.machine().disk().capacity(Long.MAX_VALUE);
            if (!broker.machine().isUp()) {
                broker.start();
            }
            broker.machine().resume();
        }
    }
}
