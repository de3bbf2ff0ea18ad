package io.millrace.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All figures of a run, in the order in which they came up. */
public final class Results {
    private record Key(String workload, String testCase, Metric metric) {}

    private final Map<Key, Row> rows = new LinkedHashMap<>();

    public void add(String workload, String testCase, Metric metric, String side, double value) {
        rows.computeIfAbsent(new Key(workload, testCase, metric), key -> new Row(workload, testCase, metric))
                .add(side, value);
    }

    public List<Row> rows() {
        return new ArrayList<>(rows.values());
    }

    public List<Row> rows(String workload) {
        return rows.values().stream()
                .filter(row -> row.workload().equals(workload))
                .toList();
    }
}
