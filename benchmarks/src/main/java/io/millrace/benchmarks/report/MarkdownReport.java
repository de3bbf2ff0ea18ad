package io.millrace.benchmarks.report;

import io.millrace.benchmarks.measure.Row;
import io.millrace.benchmarks.measure.Samples;
import io.millrace.benchmarks.workload.Workload;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The page for people. What stands between the two marks of the reading is written by hand and kept; so are the sections
 * of workloads that this run did not measure, each of which says when and how it was.
 */
public final class MarkdownReport {
    private static final String INTRODUCTION = """
            # Performance

            Written by `bin/benchmark --page FILE`, on: %s.

            Figures are medians with the least and the greatest of all rounds in brackets; a ratio is ours divided by theirs. Both brokers
            get the JVM flags of Apache Kafka's own start script (1 GB heap unless it is said), run on the same machine as the clients, and
            are measured in turn (A B A B) with the same stock clients of Kafka 4.4.0. CPU time is the process's own accounting. Broker
            settings are each product's defaults, but for one replica.

            """;
    private static final String NO_READING = "Nobody has read these figures yet.\n";

    private final Report report;

    public MarkdownReport(Report report) {
        this.report = report;
    }

    /** @param before the page that this one replaces, or an empty text */
    public String page(String before) {
        EarlierPage earlier = new EarlierPage(before);
        StringBuilder page = new StringBuilder(INTRODUCTION.formatted(report.machine()))
                .append(EarlierPage.READING)
                .append(earlier.reading().orElse(NO_READING))
                .append(EarlierPage.READING_ENDS);
        targets(page, earlier);
        report.all().forEach(workload -> section(page, workload, earlier));
        return page.toString();
    }

    private void targets(StringBuilder page, EarlierPage earlier) {
        page.append("\n## Targets\n\n| what | target | worst case | met |\n|---|---|---|---|\n");
        for (Target target : Targets.all()) {
            Target.Verdict verdict = target.judge(report.results());
            String beginning = "| %s | %s | ".formatted(target.claim(), target.boundText());
            String line = beginning + "%s | %s |\n".formatted(verdict.value(), verdict.met());
            boolean now = report.measured(target.workload());
            page.append(now ? line : earlier.line(beginning).orElse(line));
        }
    }

    private void section(StringBuilder page, Workload workload, EarlierPage earlier) {
        page.append("\n## %s\n".formatted(workload.name()));
        List<Row> rows = report.results().rows(workload.name());
        if (rows.isEmpty()) {
            page.append(earlier.section(workload.name()).orElse("\nNot measured.\n"));
            return;
        }
        page.append("\n%s\n\nMeasured %s by `%s`.\n\n".formatted(workload.settings(), report.date(), report.command()));
        Set<String> sides = new LinkedHashSet<>();
        rows.forEach(row -> sides.addAll(row.sides().keySet()));
        String subject = sides.iterator().next();
        StringJoiner head = new StringJoiner(" | ", "| case | figure | ", " |\n");
        sides.forEach(side -> head.add(side.equals(subject) ? side : side + " | ratio"));
        page.append(head).append("|---".repeat(1 + 2 * sides.size())).append("|\n");
        rows.forEach(row -> page.append(line(row, sides, subject)));
    }

    private static String line(Row row, Set<String> sides, String subject) {
        StringJoiner line = new StringJoiner(" | ", "| ", " |\n");
        line.add(row.testCase()).add(row.metric().toString());
        for (String side : sides) {
            Samples samples = row.sides().get(side);
            line.add(samples == null ? "–" : samples.toString());
            if (!side.equals(subject)) {
                line.add(row.ratio(subject, side).stream()
                        .mapToObj(Samples::text)
                        .findFirst()
                        .orElse("–"));
            }
        }
        return line.toString();
    }
}
