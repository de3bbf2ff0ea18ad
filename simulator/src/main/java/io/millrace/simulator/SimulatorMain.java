package io.millrace.simulator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

    @Option(names = "--jobs", paramLabel = "N", defaultValue = "1", description = "how many to run at a time")
    private int jobs;

    @Option(names = "--trace", description = "prints every event; for one seed")
    private boolean trace;

    @Option(names = "--keep-going", description = "runs the other seeds after a violation, too")
    private boolean keepGoing;

    @Option(names = "--log", paramLabel = "LEVEL", defaultValue = "OFF", description = "what the brokers log")
    private String level;

    public static void main(String[] args) {
        System.exit(new CommandLine(new SimulatorMain()).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.toLevel(level));
        Consumer<String> listener = trace ? System.out::println : null;
        SeedRange range = new SeedRange(first, seeds, keepGoing, seed -> new Simulation(seed, listener), System.out);
        long began = System.nanoTime();
        range.run(jobs);
        double seconds = (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
        System.out.printf(
                "%d seeds in %.1f s (%.2f a second), %s%n", range.done(), seconds, range.done() / seconds, range);
        return range.violations() == 0 ? 0 : VIOLATED;
    }
}
