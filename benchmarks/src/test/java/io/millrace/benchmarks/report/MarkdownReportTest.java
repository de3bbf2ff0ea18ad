package io.millrace.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.measure.Results;
import io.millrace.benchmarks.workload.EndToEndLatency;
import io.millrace.benchmarks.workload.StartUp;
import io.millrace.benchmarks.workload.Transactions;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownReportTest {
    private final Results results = new Results();

    private String page(String before) {
        return new MarkdownReport(Report.of(
                        "bin/benchmark", List.of(new StartUp(), new EndToEndLatency(), new Transactions()), results))
                .page(before);
    }

    @Test
    void medians_ranges_and_ratios_stand_beside_each_other_and_the_worst_case_is_judged() {
        for (double ours : new double[] {300, 500, 400}) {
            results.add("start", "256 MB heap", StartUp.FIRST_ANSWER, "millrace", ours);
        }
        results.add("start", "256 MB heap", StartUp.FIRST_ANSWER, "apache-kafka", 1600);

        assertThat(page(""))
                .contains("| 256 MB heap | spawn to first answer, ms | 400 [300 – 500] | 1,600 | 0.250 |")
                .contains("| spawn to first answer, ratio | ≤ 0.200 | 0.250 | **no** |")
                .contains("| spawn to first answer, ms | ≤ 1,500 | 400 | yes |")
                .contains("| end to end, median, ratio | ≤ 0.700 | – | not measured |")
                .contains("Nobody has read these figures yet.");
    }

    @Test
    void what_a_run_does_not_measure_is_kept_from_the_page_before_and_so_is_the_reading() {
        results.add("latency", "100 B", EndToEndLatency.MEDIAN, "millrace", 1);
        results.add("latency", "100 B", EndToEndLatency.MEDIAN, "apache-kafka", 2);
        String before = page("").replace("Nobody has read these figures yet.", "Half the time.");

        Results second = new Results();
        second.add("transactions", Transactions.ONE_OF_ONE, Transactions.RATE, "millrace", 40);
        second.add("transactions", Transactions.ONE_OF_ONE, Transactions.RATE, "apache-kafka", 10);
        String after = new MarkdownReport(Report.of(
                        "bin/benchmark --only transactions",
                        List.of(new StartUp(), new EndToEndLatency(), new Transactions()),
                        second))
                .page(before);

        assertThat(after)
                .contains("Half the time.")
                .contains("| 100 B | end to end, median, ms | 1.00 | 2.00 | 0.500 |")
                .contains("| end to end, median, ratio | ≤ 0.700 | 0.500 | yes |")
                .contains("transactions, 1/s | 40.0 | 10.0 | 4.00 |")
                .contains("by `bin/benchmark --only transactions`")
                .containsOnlyOnce("## latency")
                .containsOnlyOnce("## transactions");
    }
}
