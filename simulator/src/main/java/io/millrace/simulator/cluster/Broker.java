package io.millrace.simulator.cluster;

import io.millrace.broker.BrokerConfig;
import io.millrace.broker.BrokerNode;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.sim.SimMachine;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** A broker and its machine, over all lives of its process. */
public final class Broker {
    public static final int PORT = 9092;
    public static final Path DATA = Path.of("/data");

    private final int id;
    private final SimMachine machine;
    private final BrokerConfig config;
    private final Agreement agreement;
    private BrokerNode node;

    Broker(int id, SimMachine machine, BrokerConfig config, Agreement agreement) {
        this.id = id;
        this.machine = machine;
        this.config = config;
        this.agreement = agreement;
    }

    public int id() {
        return id;
    }

    public SimMachine machine() {
        return machine;
    }

    /** The process of this moment, or null. */
    public BrokerNode node() {
        return machine.isUp() ? node : null;
    }

    /** @return false where the disk is in no state to start on */
    public boolean start() {
        try {
            node = BrokerNode.start(machine.boot(), config, agreement.quorumOf(machine));
            return true;
        } catch (DiskException e) {
            kill();
            return false;
        }
    }

    public void kill() {
        machine.kill();
        node = null;
    }

    /**
     * Asks the process to stop, as an operator does; the task is run when it has, unless it dies before. A stop that fails
     * is an error of the broker.
     */
    public void stop(Runnable stopped) {
        BrokerNode stopping = node;
        machine.run(
                "stop",
                () -> stopping.stop(step -> machine.run("step of the stop", step))
                        .whenComplete((done, failure) -> machine.run("exit", () -> {
                            kill();
                            if (failure != null) {
                                throw new IllegalStateException("node " + id + " cannot stop", failure);
                            }
                            stopped.run();
                        })));
    }

    public void powerCut(SplittableRandom chance) {
        machine.powerCut(chance);
        node = null;
    }
}
