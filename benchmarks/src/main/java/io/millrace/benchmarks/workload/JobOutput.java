package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.side.Side;
import io.millrace.testbed.ChildProcess;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * Reads what a job has committed and says how far it is: the number of records, or for counts by key the sum of the newest counts. A
 * wrong sum is an error, so no figure is one of a wrong result.
 */
final class JobOutput implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(9);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final boolean counts;
    private final ChildProcess job;
    private final Map<ByteBuffer, Long> newest = new HashMap<>();
    private final long deadline = System.nanoTime() + PATIENCE.toNanos();
    private long records;
    private long progress;

    private JobOutput(KafkaConsumer<byte[], byte[]> consumer, boolean counts, ChildProcess job) {
        this.consumer = consumer;
        this.counts = counts;
        this.job = job;
    }

    static JobOutput follow(Side side, String topic, int partitions, boolean counts, ChildProcess job) {
        KafkaConsumer<byte[], byte[]> consumer = Clients.consumer(
                side,
                Map.of(
                        "isolation.level",
                        "read_committed",
                        "max.poll.records",
                        100_000,
                        "max.partition.fetch.bytes",
                        4 << 20));
        consumer.assign(Clients.partitions(topic, partitions));
        consumer.seekToBeginning(consumer.assignment());
        return new JobOutput(consumer, counts, job);
    }

    long records() {
        return records;
    }

    /** The progress when it reached this much. */
    long awaitAtLeast(long wanted) {
        while (progress < wanted) {
            if (!job.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException("the job came to %,d of %,d and %s: %s"
                        .formatted(progress, wanted, job.isAlive() ? "no further" : "ended", job.output()));
            }
            read();
        }
        return progress;
    }

    private void read() {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
        records += polled.count();
        if (!counts) {
            progress += polled.count();
            return;
        }
        for (ConsumerRecord<byte[], byte[]> record : polled) {
            long count = ByteBuffer.wrap(record.value()).getLong();
            Long before = newest.put(ByteBuffer.wrap(record.key()), count);
            progress += count - (before == null ? 0 : before);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
