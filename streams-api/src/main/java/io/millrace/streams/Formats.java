package io.millrace.streams;

import com.google.protobuf.MessageLite;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.kafka.common.serialization.Serde;

/** The formats that come with Millrace. The number formats are big-endian, as the Kafka serializers write them. */
public final class Formats {
    private Formats() {}

    public static Format<byte[]> bytes() {
        return FixedFormats.BYTES;
    }

    /** UTF-8; bytes that are not UTF-8 are refused instead of replaced. */
    public static Format<String> text() {
        return TextFormat.UTF_8;
    }

    public static Format<Integer> int32() {
        return FixedFormats.INT32;
    }

    public static Format<Long> int64() {
        return FixedFormats.INT64;
    }

    public static Format<Double> float64() {
        return FixedFormats.FLOAT64;
    }

    /** The 36 characters of {@link UUID#toString}, as Kafka's own serializer writes it. */
    public static Format<UUID> uuid() {
        return FixedFormats.UUID_TEXT;
    }

    /** No value at all: whatever is in the log reads as null. For topics whose key does not matter. */
    public static Format<Void> none() {
        return FixedFormats.NONE;
    }

    /** JSON of a record class. Unknown properties are ignored, a missing primitive is refused. */
    public static <T> Format<T> json(Class<T> type) {
        return new JsonFormat<>(type);
    }

    public static <T extends MessageLite> Format<T> protobuf(Class<T> type) {
        return new ProtobufFormat<>(type);
    }

    /** Any serializer pair written for Kafka, used as it is. */
    public static <T> Format<T> serde(Serde<T> serde) {
        return new SerdeFormat<>(serde);
    }

    /** The key of a windowed aggregate: start and end of the window (8 bytes each), then the key. */
    public static <K> Format<Windowed<K>> windowed(Format<K> key) {
        return new WindowedFormat<>(key);
    }

    static ByteBuffer exactly(int size, byte[] bytes, String format) {
        if (bytes.length != size) {
            throw new FormatException("%s takes %d bytes, found %d; is the topic written in another format?"
                    .formatted(format, size, bytes.length));
        }
        return ByteBuffer.wrap(bytes);
    }
}
