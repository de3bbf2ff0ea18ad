package io.millrace.streams;

import java.nio.ByteBuffer;
import java.time.Instant;

record WindowedFormat<K>(Format<K> key) implements Format<Windowed<K>> {
    private static final int BOUNDS_BYTES = 2 * Long.BYTES;

    @Override
    public String name() {
        return "windowed(%s)".formatted(key.name());
    }

    @Override
    public byte[] write(String topic, Windowed<K> value) {
        byte[] inner = key.write(topic, value.key());
        return ByteBuffer.allocate(BOUNDS_BYTES + inner.length)
                .putLong(value.start().toEpochMilli())
                .putLong(value.end().toEpochMilli())
                .put(inner)
                .array();
    }

    @Override
    public Windowed<K> read(String topic, byte[] bytes) {
        if (bytes.length < BOUNDS_BYTES) {
            throw new FormatException(
                    "%s takes at least %d bytes, found %d".formatted(name(), BOUNDS_BYTES, bytes.length));
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        Instant start = Instant.ofEpochMilli(buffer.getLong());
        Instant end = Instant.ofEpochMilli(buffer.getLong());
        byte[] inner = new byte[buffer.remaining()];
        buffer.get(inner);
        return new Windowed<>(key.read(topic, inner), start, end);
    }
}
