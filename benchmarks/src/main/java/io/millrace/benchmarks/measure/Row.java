package io.millrace.benchmarks.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** One figure of one case of a workload, on all sides. */
public final class Row {
    private final String workload;
    private final String testCase;
    private final Metric metric;
    private final Map<String, Samples> sides = new LinkedHashMap<>();

    Row(String workload, String testCase, Metric metric) {
        this.workload = workload;
        this.testCase = testCase;
        this.metric = metric;
    }

    void add(String side, double value) {
        sides.computeIfAbsent(side, name -> new Samples()).add(value);
    }

    public String workload() {
        return workload;
    }

    public String testCase() {
        return testCase;
    }

    public Metric metric() {
        return metric;
    }

    public Map<String, Samples> sides() {
        return sides;
    }

    /** Median divided by median; empty where a side has no figure, or theirs is zero. */
    public OptionalDouble ratio(String subject, String other) {
        Samples ours = sides.get(subject);
        Samples theirs = sides.get(other);
        return ours == null || theirs == null || theirs.median() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(ours.median() / theirs.median());
    }
}
