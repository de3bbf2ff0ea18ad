package io.millrace.streams;

/**
 * How values of one type are written as bytes and read back. Null never reaches a format: a null key or value is a
 * null in the log. An implementation is shared by all workers and must be safe for use by several threads at once.
 */
public interface Format<T> {
    /** What {@code --describe} and error messages call this format, for example {@code json(Flight)}. */
    String name();

    /**
     * The bytes of a value.
     *
     * @throws FormatException when this value has no representation
     */
    byte[] write(String topic, T value);

    /**
     * The value of these bytes.
     *
     * @throws FormatException when they are no value of this format
     */
    T read(String topic, byte[] bytes);

    default byte[] writeNullable(String topic, T value) {
        return value == null ? null : write(topic, value);
    }

    default T readNullable(String topic, byte[] bytes) {
        return bytes == null ? null : read(topic, bytes);
    }
}
