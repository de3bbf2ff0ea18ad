package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.measure.ProcessAccount;
import io.millrace.benchmarks.side.Side;
import java.util.List;

/** The CPU time of a side's brokers since a moment. */
final class CpuMeter {
    private final Side side;
    private final List<ProcessAccount> accounts;
    private final double before;

    private CpuMeter(Side side) {
        this.side = side;
        this.accounts = side.accounts();
        this.before = used();
    }

    private double used() {
        return accounts.stream().mapToDouble(ProcessAccount::cpuSeconds).sum();
    }

    static CpuMeter start(Side side) {
        return new CpuMeter(side);
    }

    /** Adds the seconds used so far, for each of the given units of work; nothing if the process is not to be seen. */
    void add(Bench bench, String testCase, Metric metric, double unitsOfWork) {
        add(bench, testCase, metric, side.label(), unitsOfWork);
    }

    /** For figures that do not go by the broker's name. */
    void add(Bench bench, String testCase, Metric metric, String label, double unitsOfWork) {
        if (!accounts.isEmpty()) {
            bench.add(testCase, metric, label, (used() - before) / unitsOfWork);
        }
    }
}
