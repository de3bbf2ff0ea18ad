package io.millrace.sinks.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * PostgreSQL's fastest insert or upsert: one statement for all rows, which takes each column as an array and unnests
 * them. The type of an array follows from the values, as it does when they are bound one by one.
 */
final class ArrayInsert {
    private final String table;
    private final List<String> columns;
    private final String onConflict;

    ArrayInsert(String table, List<String> columns, String onConflict) {
        this.table = table;
        this.columns = columns;
        this.onConflict = onConflict;
    }

    ArrayInsert(String table, List<String> columns) {
        this(table, columns, "");
    }

    /** Returns false, and has done nothing, if these rows do not fit into arrays. */
    boolean execute(Connection connection, List<Row> rows) throws SQLException {
        if (!rows.stream().allMatch(row -> row.values().size() == columns.size())) {
            return false;
        }
        List<ColumnArray> arrays = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            Optional<ColumnArray> array = ColumnArray.of(rows, column);
            if (array.isEmpty()) {
                return false;
            }
            arrays.add(array.get());
        }
        List<ColumnArray> unnested =
                arrays.stream().filter(array -> !array.isAllNull()).toList();
        if (unnested.isEmpty()) {
            return false;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql(arrays, unnested))) {
            for (int i = 0; i < unnested.size(); i++) {
                statement.setArray(i + 1, unnested.get(i).toSql(connection));
            }
            statement.executeUpdate();
        }
        return true;
    }

    /** A column without any value has no type of its own; the literal NULL takes that of the table's column. */
    private String sql(List<ColumnArray> arrays, List<ColumnArray> unnested) {
        return "INSERT INTO %s (%s) SELECT %s FROM unnest(%s) AS r(%s) %s"
                .formatted(
                        table,
                        String.join(", ", columns),
                        String.join(
                                ", ",
                                arrays.stream()
                                        .map(array -> array.isAllNull() ? "NULL" : array.name())
                                        .toList()),
                        String.join(
                                ", ",
                                unnested.stream()
                                        .map(array -> "?::" + array.type() + "[]")
                                        .toList()),
                        String.join(
                                ", ", unnested.stream().map(ColumnArray::name).toList()),
                        onConflict);
    }
}
