package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.side.Side;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The same customers, as our sink reads them and as Kafka Connect does. */
final class SinkInput {
    private static final String KEY_WITH_SCHEMA = "{\"schema\":{\"type\":\"struct\",\"fields\":["
            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"id\"}],\"optional\":false,\"name\":\"K\"},"
            + "\"payload\":{\"id\":%d}}";
    private static final String VALUE_WITH_SCHEMA = "{\"schema\":{\"type\":\"struct\",\"fields\":["
            + "{\"type\":\"int64\",\"optional\":false,\"field\":\"id\"},"
            + "{\"type\":\"string\",\"optional\":true,\"field\":\"name\"},"
            + "{\"type\":\"double\",\"optional\":true,\"field\":\"amount\"},"
            + "{\"type\":\"int64\",\"optional\":true,\"field\":\"ts\","
            + "\"name\":\"org.apache.kafka.connect.data.Timestamp\",\"version\":1},"
            + "{\"type\":\"boolean\",\"optional\":true,\"field\":\"flag\"}],\"optional\":false,\"name\":\"V\"},"
            + "\"payload\":{\"id\":%d,%s}}";
    private static final String FIELDS = "\"name\":\"%s\",\"amount\":%s,\"ts\":%d,\"flag\":%s";
    private static final long TIME_MS = 1_700_000_000_000L;

    private SinkInput() {}

    static void plain(Side side, String topic, int rows) throws Exception {
        load(
                side,
                topic,
                rows,
                id -> ByteBuffer.allocate(Long.BYTES).putLong(id).array(),
                id -> bytes("{" + fields(id) + "}"));
    }

    static void withSchema(Side side, String topic, int rows) throws Exception {
        load(
                side,
                topic,
                rows,
                id -> bytes(KEY_WITH_SCHEMA.formatted(id)),
                id -> bytes(VALUE_WITH_SCHEMA.formatted(id, fields(id))));
    }

    static String name(int id) {
        return "customer name " + (id * 31L % 100_003);
    }

    static double amount(int id) {
        return id * 0.5;
    }

    static boolean flag(int id) {
        return id % 2 == 0;
    }

    private static String fields(int id) {
        return FIELDS.formatted(name(id), amount(id), TIME_MS, flag(id));
    }

    private static void load(Side side, String topic, int rows, IntFunction<byte[]> key, IntFunction<byte[]> value)
            throws Exception {
        Clients.createTopic(side, topic, 1);
        Clients.send(
                side,
                Map.of("batch.size", 131_072, "linger.ms", 20, "compression.type", "lz4"),
                rows,
                id -> new ProducerRecord<>(topic, 0, key.apply(id), value.apply(id)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
