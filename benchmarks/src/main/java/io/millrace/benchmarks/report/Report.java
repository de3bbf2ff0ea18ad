package io.millrace.benchmarks.report;

import io.millrace.benchmarks.measure.Results;
import io.millrace.benchmarks.workload.Workload;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;

/** A finished run. */
public record Report(
        String command, LocalDate date, Duration duration, List<Workload> workloads, Results results, Machine machine) {
    public static Report of(String command, Duration duration, List<Workload> workloads, Results results) {
        return new Report(
                command, LocalDate.now(java.time.ZoneOffset.UTC), duration, workloads, results, Machine.here());
    }
}
