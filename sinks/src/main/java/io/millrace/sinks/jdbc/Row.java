package io.millrace.sinks.jdbc;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The values for a statement's question marks, in order. */
public record Row(List<Object> values) {
    /** No row for this record; its offset counts all the same. */
    public static final Row NONE = new Row(List.of());

    public static Row row(Object... values) {
        return new Row(Collections.unmodifiableList(Arrays.asList(values.clone())));
    }
}
