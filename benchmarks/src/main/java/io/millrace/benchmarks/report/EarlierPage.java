package io.millrace.benchmarks.report;

import java.util.Optional;

/** A page of an earlier run: what this run has not measured is kept from it, and what people wrote in it. */
final class EarlierPage {
    static final String READING = "<!-- reading: written by hand, kept by the generator -->\n";
    static final String READING_ENDS = "<!-- end of the reading -->\n";

    private static final String HEADING = "\n## ";

    private final String text;

    /** @param text empty where there is none */
    EarlierPage(String text) {
        this.text = text;
    }

    Optional<String> reading() {
        return between(READING, READING_ENDS);
    }

    /** A workload's section without its heading, up to the next one. */
    Optional<String> section(String name) {
        return between(HEADING + name + "\n", HEADING);
    }

    /** The line of a table that begins so, to its end. */
    Optional<String> line(String beginning) {
        return between("\n" + beginning, "\n").map(rest -> beginning + rest + "\n");
    }

    private Optional<String> between(String start, String end) {
        int from = text.indexOf(start);
        if (from < 0) {
            return Optional.empty();
        }
        int to = text.indexOf(end, from + start.length());
        return Optional.of(text.substring(from + start.length(), to < 0 ? text.length() : to));
    }
}
