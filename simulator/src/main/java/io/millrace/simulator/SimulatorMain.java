package io.millrace.simulator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.millrace.simulator.checker.Violation;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the cluster from one seed after another, until something happens that must not. */
@Command(
        name = "simulator",
        description = "Runs whole clusters in virtual time, each from a seed, with faults, and checks what must hold.",
        mixinStandardHelpOptions = true)
public final class SimulatorMain implements Callable<Integer> {
    private static final int VIOLATED = 1;

    @Option(names = "--seeds", paramLabel = "N", defaultValue = "1", description = "how many seeds to run")
    private long seeds;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "the first of them")
    private long first;

    @Option(names = "--trace", description = "prints every event")
    private boolean trace;

    @Option(names = "--keep-going", description = "runs the other seeds after a violation, too")
    private boolean keepGoing;

    @Option(names = "--log", paramLabel = "LEVEL", defaultValue = "OFF", description = "what the brokers log")
    private String level;

    private long violations;

    public static void main(String[] args) {
        System.exit(new CommandLine(new SimulatorMain()).execute(args));
    }

    @Override
    public Integer call() {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.toLevel(level));
        long began = System.nanoTime();
        long steps = 0;
        long promises = 0;
        long done = 0;
        for (long seed = first; seed < first + seeds && (violations == 0 || keepGoing); seed++) {
            try {
                Simulation.Result result = new Simulation(seed, trace ? System.out::println : null).run();
                steps += result.steps();
                promises += result.promises();
            } catch (Violation e) {
                report(seed, e);
            }
            done++;
        }
        double seconds = (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
        System.out.printf(
                "%d seeds in %.1f s (%.2f a second), %d events, %d records acknowledged, %d violations%n",
                done, seconds, done / seconds, steps, promises, violations);
        return violations == 0 ? 0 : VIOLATED;
    }

    private void report(long seed, Violation violation) {
        violations++;
        System.out.println("seed " + seed + ": " + violation.getMessage());
        System.out.println("    again, with every event: java -jar simulator/target/simulator.jar --seed " + seed
                + " --trace --log INFO");
        if (violation.getCause() != null) {
            violation.getCause().printStackTrace(System.out);
        }
    }
}
