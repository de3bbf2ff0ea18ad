package io.millrace.broker.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows of named values: aligned columns for people, a JSON object a line for machines. */
final class Rows {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PrintStream out;
    private final boolean json;
    private final String[] columns;
    private final List<Object[]> rows = new ArrayList<>();

    Rows(PrintStream out, boolean json, String... columns) {
        this.out = out;
        this.json = json;
        this.columns = columns;
    }

    /** Adds a row; a null is left out of JSON and printed as a dash. */
    void add(Object... values) {
        if (values.length != columns.length) {
            throw new IllegalArgumentException(values.length + " values for " + columns.length + " columns");
        }
        rows.add(values);
    }

    void print() {
        if (json) {
            rows.forEach(this::printJson);
            return;
        }
        int[] widths = new int[columns.length];
        for (int column = 0; column < columns.length; column++) {
            widths[column] = columns[column].length();
            for (Object[] row : rows) {
                widths[column] = Math.max(widths[column], text(row[column]).length());
            }
        }
        printLine(columns, widths);
        rows.forEach(row -> printLine(row, widths));
        out.flush();
    }

    private void printJson(Object[] row) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int column = 0; column < columns.length; column++) {
            if (row[column] != null) {
                object.put(columns[column], row[column]);
            }
        }
        try {
            out.println(JSON.writeValueAsString(object));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + object + " as JSON", e);
        }
    }

    private void printLine(Object[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < columns.length; column++) {
            String text = text(row[column]);
            line.append(text);
            if (column < columns.length - 1) {
                line.append(" ".repeat(widths[column] - text.length() + 2));
            }
        }
        out.println(line);
    }

    private static String text(Object value) {
        return value == null ? "-" : String.valueOf(value);
    }
}
