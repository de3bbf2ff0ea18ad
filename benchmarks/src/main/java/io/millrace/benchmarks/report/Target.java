package io.millrace.benchmarks.report;

import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.measure.Results;
import io.millrace.benchmarks.measure.Row;
import io.millrace.benchmarks.measure.Samples;
import java.util.Comparator;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A bound on a figure, or on the ratio of two. Where several cases fall under it, the worst of them counts.
 *
 * @param claim what is bounded, for people
 * @param cases the cases that it speaks of
 * @param value what is compared with the bound
 * @param bound the largest value allowed, or the smallest
 */
public record Target(
        String claim,
        String workload,
        Metric metric,
        Predicate<String> cases,
        Function<Row, OptionalDouble> value,
        Kind kind,
        double bound) {
    /** Which side of the bound is good. */
    public enum Kind {
        AT_MOST("≤"),
        AT_LEAST("≥");

        private final String sign;

        Kind(String sign) {
            this.sign = sign;
        }
    }

    /** The worst value of a run, and whether it is good enough; empty if the run has no such figure. */
    public record Verdict(String value, String met) {}

    public Verdict judge(Results results) {
        Comparator<Double> worstLast = Comparator.naturalOrder();
        return results.rows(workload).stream()
                .filter(row -> row.metric().equals(metric) && cases.test(row.testCase()))
                .flatMap(row -> value.apply(row).stream().boxed())
                .max(kind == Kind.AT_MOST ? worstLast : worstLast.reversed())
                .map(worst -> new Verdict(Samples.text(worst), isMetBy(worst) ? "yes" : "**no**"))
                .orElse(new Verdict("–", "not measured"));
    }

    public String boundText() {
        return kind.sign + " " + Samples.text(bound);
    }

    private boolean isMetBy(double worst) {
        return kind == Kind.AT_MOST ? worst <= bound : worst >= bound;
    }
}
