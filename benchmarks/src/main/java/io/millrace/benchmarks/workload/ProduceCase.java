package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.side.Side;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What one producer sends, and how. */
record ProduceCase(int bytes, boolean largeBatches, String codec, int partitions) {
    String title() {
        return "%d B, %s batches, %s, %s"
                .formatted(bytes, batches(), codec, partitions == 1 ? "1 partition" : partitions + " partitions");
    }

    String topic() {
        return "produce-%d-%s-%s-%d".formatted(bytes, batches(), codec, partitions);
    }

    private String batches() {
        return largeBatches ? "large" : "default";
    }

    private Map<String, Object> settings() {
        return largeBatches
                ? Map.of("compression.type", codec, "batch.size", 131_072, "linger.ms", 5)
                : Map.of("compression.type", codec);
    }

    /** Seconds until the last acknowledgement. */
    double produce(Side side, String topic, int records) throws Exception {
        Payload payload = Payload.ofBytes(bytes);
        return Clients.send(
                side, settings(), records, i -> new ProducerRecord<>(topic, i % partitions, null, payload.value(i)));
    }
}
