package io.millrace.streams;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The formats that need no more than a pair of functions. */
record FixedFormats<T>(String name, Function<T, byte[]> writer, BiFunction<String, byte[], T> reader)
        implements Format<T> {
    static final Format<byte[]> BYTES = new FixedFormats<>("bytes", value -> value, (topic, bytes) -> bytes);
    static final Format<Void> NONE = new FixedFormats<>("none", value -> null, (topic, bytes) -> null);
    static final Format<Integer> INT32 = new FixedFormats<>(
            "int32",
            value -> ByteBuffer.allocate(4).putInt(value).array(),
            (topic, bytes) -> Formats.exactly(4, bytes, "int32").getInt());
    static final Format<Long> INT64 = new FixedFormats<>(
            "int64",
            value -> ByteBuffer.allocate(8).putLong(value).array(),
            (topic, bytes) -> Formats.exactly(8, bytes, "int64").getLong());
    static final Format<Double> FLOAT64 = new FixedFormats<>(
            "float64",
            value -> ByteBuffer.allocate(8).putDouble(value).array(),
            (topic, bytes) -> Formats.exactly(8, bytes, "float64").getDouble());
    static final Format<UUID> UUID_TEXT =
            new FixedFormats<>("uuid", value -> Formats.text().write("", value.toString()), FixedFormats::readUuid);

    @Override
    public byte[] write(String topic, T value) {
        return writer.apply(value);
    }

    @Override
    public T read(String topic, byte[] bytes) {
        return reader.apply(topic, bytes);
    }

    @Override
    public String toString() {
        return name;
    }

    private static UUID readUuid(String topic, byte[] bytes) {
        String text = Formats.text().read(topic, bytes);
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new FormatException("uuid takes 36 characters of a UUID, found '%s'".formatted(text), e);
        }
    }
}
