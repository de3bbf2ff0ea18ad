package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testbed.Addresses;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.NetworkNamespaces;
import io.millrace.testbed.SmallDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A cluster with all that faults need: networks that can be cut, disks that can be full, racks of more than one broker. */
final class FaultBed implements AutoCloseable {
    private static final int RACKS = 3;
    private static final String SHORT_SESSION = "broker.session.timeout.ms=3000";
    private static final String OFTEN_ALIVE = "broker.heartbeat.interval.ms=500";
    /** So that nothing but a fault moves a leader. */
    private static final String NO_REBALANCE = "auto.leader.rebalance.enable=false";

    private final List<String> missing = new ArrayList<>();
    private final List<SmallDisk> disks = new ArrayList<>();
    private final MillraceCluster.Layout layout;
    private final NetworkNamespaces networks;
    private final MillraceCluster cluster;

    private FaultBed(Path folder, int brokers, boolean cutNetworks, boolean smallDisks, String... settings) {
        String noNetworks = cutNetworks ? NetworkNamespaces.obstacle() : "";
        String noDisks = smallDisks ? SmallDisk.obstacle(folder.resolve("trial")) : "";
        networks = cutNetworks && noNetworks.isEmpty() ? NetworkNamespaces.create(brokers) : null;
        layout = new MillraceCluster.Layout(brokers, RACKS, networks == null ? Addresses.LOOPBACK : networks);
        if (smallDisks && noDisks.isEmpty()) {
            for (int node = 1; node <= brokers; node++) {
                disks.add(SmallDisk.at(folder.resolve("node-" + node).resolve("data")));
            }
        }
        if (!noNetworks.isEmpty()) {
            missing.add("cut networks: " + noNetworks);
        }
        if (!noDisks.isEmpty()) {
            missing.add("full disks: " + noDisks);
        }
        cluster = MillraceCluster.start(folder, layout, settings);
    }

    /** Three brokers, and only what any user can do to them. */
    static FaultBed small(Path folder) {
        return new FaultBed(folder, 3, false, false, SHORT_SESSION, OFTEN_ALIVE, NO_REBALANCE);
    }

    /** Five brokers in three racks, with networks and disks of their own as far as this machine permits. */
    static FaultBed full(Path folder) {
        return new FaultBed(folder, 5, true, true, SHORT_SESSION, OFTEN_ALIVE, NO_REBALANCE);
    }

    /** Three brokers as anybody would set them up, on networks of their own if this machine permits. */
    static FaultBed timed(Path folder) {
        return new FaultBed(folder, 3, true, false, NO_REBALANCE);
    }

    MillraceCluster cluster() {
        return cluster;
    }

    /** Lines that say what cannot be done here, and why. */
    List<String> missing() {
        return missing;
    }

    boolean hasNetworks() {
        return networks != null;
    }

    boolean hasDisks() {
        return !disks.isEmpty();
    }

    boolean hasRacks() {
        return layout.racks() < layout.nodes();
    }

    NetworkNamespaces networks() {
        return networks;
    }

    SmallDisk disk(int node) {
        return disks.get(node - 1);
    }

    List<Integer> rackOf(int node) {
        for (int rack = 1; rack <= layout.racks(); rack++) {
            if (layout.rack(rack).contains(node)) {
                return layout.rack(rack);
            }
        }
        throw new IllegalArgumentException("there is no node " + node);
    }

    /** All nodes but this one. */
    List<Integer> others(int node) {
        List<Integer> others = new ArrayList<>();
        for (int id = 1; id <= layout.nodes(); id++) {
            if (id != node) {
                others.add(id);
            }
        }
        assertThat(others).as("node %d is one of them", node).hasSize(layout.nodes() - 1);
        return others;
    }

    @Override
    public void close() {
        cluster.close();
        disks.forEach(SmallDisk::close);
        if (networks != null) {
            networks.close();
        }
    }
}
