package io.millrace.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.benchmarks.measure.Row;

/** The same for machines. */
public final class JsonReport {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonReport() {}

    public static String text(Report report) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("command", report.command());
        root.put("date", report.date().toString());
        root.put("machine", report.machine().toString());
        ArrayNode targets = root.putArray("targets");
        for (Target target : Targets.all()) {
            Target.Verdict verdict = target.judge(report.results());
            targets.addObject()
                    .put("what", target.claim())
                    .put("target", target.boundText())
                    .put("value", verdict.value())
                    .put("met", verdict.met());
        }
        ArrayNode rows = root.putArray("figures");
        report.results().rows().forEach(row -> add(rows.addObject(), row));
        return root.toPrettyString();
    }

    private static void add(ObjectNode node, Row row) {
        node.put("workload", row.workload()).put("case", row.testCase());
        node.put("figure", row.metric().name()).put("unit", row.metric().unit());
        ObjectNode sides = node.putObject("sides");
        row.sides()
                .forEach((side, samples) -> sides.putObject(side)
                        .put("rounds", samples.count())
                        .put("min", samples.min())
                        .put("median", samples.median())
                        .put("max", samples.max()));
    }
}
