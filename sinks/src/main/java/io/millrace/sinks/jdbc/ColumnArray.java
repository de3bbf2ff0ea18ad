package io.millrace.sinks.jdbc;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * One column of several rows, as an array of PostgreSQL.
 *
 * @param type of an element; null if no row has a value
 */
record ColumnArray(String name, String type, Object[] values) {
    /** How values of one Java class become array elements. */
    private record Element(String type, Function<Integer, Object[]> array, Function<Object, Object> value) {
        static Element asIs(String type, Function<Integer, Object[]> array) {
            return new Element(type, array, value -> value);
        }

        /** For what the driver has no array of, in the ISO form that PostgreSQL reads. */
        static Element asText(String type) {
            return new Element(type, String[]::new, Object::toString);
        }
    }

    private static final Element CONSTANT = new Element("text", String[]::new, value -> ((Enum<?>) value).name());

    private static final Map<Class<?>, Element> ELEMENTS = Map.ofEntries(
            Map.entry(Short.class, Element.asIs("int2", Short[]::new)),
            Map.entry(Integer.class, Element.asIs("int4", Integer[]::new)),
            Map.entry(Long.class, Element.asIs("int8", Long[]::new)),
            Map.entry(Float.class, Element.asIs("float4", Float[]::new)),
            Map.entry(Double.class, Element.asIs("float8", Double[]::new)),
            Map.entry(Boolean.class, Element.asIs("bool", Boolean[]::new)),
            Map.entry(String.class, Element.asIs("text", String[]::new)),
            Map.entry(byte[].class, Element.asIs("bytea", byte[][]::new)),
            Map.entry(BigDecimal.class, Element.asText("numeric")),
            Map.entry(UUID.class, Element.asText("uuid")),
            Map.entry(LocalDate.class, Element.asText("date")),
            Map.entry(LocalTime.class, Element.asText("time")),
            Map.entry(LocalDateTime.class, Element.asText("timestamp")),
            Map.entry(OffsetDateTime.class, Element.asText("timestamptz")),
            Map.entry(Instant.class, Element.asText("timestamptz")));

    /** Empty if the column holds values of several classes, or of one that has no place in an array. */
    static Optional<ColumnArray> of(List<Row> rows, int column) {
        String name = "c" + column;
        Element element = null;
        Class<?> kind = null;
        Object[] values = null;
        for (int i = 0; i < rows.size(); i++) {
            Object value = rows.get(i).values().get(column);
            if (value == null) {
                continue;
            }
            if (kind == null) {
                kind = value.getClass();
                element = value instanceof Enum<?> ? CONSTANT : ELEMENTS.get(kind);
                if (element == null) {
                    return Optional.empty();
                }
                values = element.array().apply(rows.size());
            } else if (value.getClass() != kind) {
                return Optional.empty();
            }
            values[i] = element.value().apply(value);
        }
        return Optional.of(new ColumnArray(name, element == null ? null : element.type(), values));
    }

    boolean isAllNull() {
        return type == null;
    }

    Array toSql(Connection connection) throws SQLException {
        return connection.createArrayOf(type, values);
    }
}
