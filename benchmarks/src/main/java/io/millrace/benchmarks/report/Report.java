package io.millrace.benchmarks.report;

import io.millrace.benchmarks.measure.Results;
import io.millrace.benchmarks.workload.Workload;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * What a run has measured so far.
 *
 * @param all workloads there are, measured or not
 */
public record Report(String command, LocalDate date, List<Workload> all, Results results, Machine machine) {
    public static Report of(String command, List<Workload> all, Results results) {
        return new Report(command, LocalDate.now(ZoneOffset.UTC), all, results, Machine.here());
    }

    boolean measured(String workload) {
        return !results.rows(workload).isEmpty();
    }
}
