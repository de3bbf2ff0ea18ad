package io.millrace.simulator;

import io.millrace.simulator.checker.Violation;
import java.io.PrintStream;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * Runs the seeds of a range in their order, several at a time: a simulation shares nothing with another. Failures are
 * printed by seed, whichever was found first, so the first line is the same however many run at a time.
 */
final class SeedRange {
    private static final long PROGRESS_EVERY = 500;

    private final long end;
    private final boolean keepGoing;
    private final LongFunction<Simulation> simulations;
    private final PrintStream out;
    private final SortedMap<Long, Failure> failures = new TreeMap<>();
    private final SortedSet<Long> running = new TreeSet<>();
    private long next;
    private long done;
    private long steps;
    private long promises;
    private long violations;

    SeedRange(long first, long count, boolean keepGoing, LongFunction<Simulation> simulations, PrintStream out) {
        this.next = first;
        this.end = first + count;
        this.keepGoing = keepGoing;
        this.simulations = simulations;
        this.out = out;
    }

    void run(int jobs) throws InterruptedException {
        List<Thread> workers = IntStream.rangeClosed(1, jobs)
                .mapToObj(number -> new Thread(this::work, "simulation-" + number))
                .toList();
        workers.forEach(Thread::start);
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void work() {
        for (Long seed = take(); seed != null; seed = take()) {
            Simulation simulation = simulations.apply(seed);
            Throwable failure = null;
            try {
                simulation.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            ended(seed, simulation.soFar(), failure);
        }
    }

    private synchronized Long take() {
        if (next == end || (violations > 0 && !keepGoing)) {
            return null;
        }
        running.add(next);
        return next++;
    }

    private synchronized void ended(long seed, Simulation.Result result, Throwable failure) {
        running.remove(seed);
        done++;
        steps += result.steps();
        promises += result.promises();
        if (failure != null) {
            violations++;
            failures.put(seed, new Failure(result, failure));
        }
        if (done % PROGRESS_EVERY == 0) {
            System.err.println("so far " + done + " seeds: " + this); // what is printed begins with the first failure
        }
        while (!failures.isEmpty() && (running.isEmpty() || failures.firstKey() < running.first())) {
            report(failures.firstKey(), failures.remove(failures.firstKey()));
        }
    }

    private void report(long seed, Failure failure) {
        out.println("seed " + seed + ": " + failure.thrown.getMessage());
        out.println("    " + failure.result.moment() + ", after " + failure.result.steps() + " events");
        out.println("    again, with every event: java -jar simulator/target/simulator.jar --seed " + seed
                + " --trace --log INFO");
        Throwable shown = failure.thrown instanceof Violation named ? named.getCause() : failure.thrown;
        if (shown != null) {
            shown.printStackTrace(out);
        }
    }

    long done() {
        return done;
    }

    long violations() {
        return violations;
    }

    @Override
    public String toString() {
        return steps + " events, " + promises + " records acknowledged, " + violations + " violations";
    }

    private record Failure(Simulation.Result result, Throwable thrown) {}
}
