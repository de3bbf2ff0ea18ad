package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Latencies;
import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.side.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A reader at the tail, while another reads back what is not in the page cache any more. */
public final class ColdReader implements Workload {
    static final Metric ALONE = Metric.of("tail alone, 99 %", "ms");
    static final Metric BESIDE = Metric.of("tail beside a cold reader, 99 %", "ms");
    public static final Metric FACTOR = Metric.of("beside / alone, 99 %", "");
    static final Metric COLD_RATE = Metric.of("cold reader", "MiB/s");

    private static final String COLD = "cold";
    private static final String TAIL = "tail";
    private static final int BYTES = 1024;
    private static final int RECORDS = 2_000_000;
    private static final int RATE = 200;
    private static final Duration TIME = Duration.ofSeconds(15);
    private static final double MIB = 1 << 20;

    @Override
    public String name() {
        return "cold-reader";
    }

    @Override
    public String settings() {
        return "2 GB of 1 KiB records in one topic, dropped from the page cache before they are read (posix_fadvise through dd); meanwhile "
                + "200 records a second of 1 KiB go through another topic, as in the latency workload, 15 s a round.";
    }

    @Override
    public void run(Bench bench) throws Exception {
        if (bench.sides().areAttached()) {
            bench.leaveOut(name(), "the files of an attached broker cannot be dropped from its page cache");
            return;
        }
        int records = bench.scale().of(RECORDS);
        Payload payload = Payload.ofBytes(BYTES);
        Duration time = bench.scale().of(TIME);
        bench.onEach(side -> {
            Clients.createTopic(side, COLD, 1);
            Clients.createTopic(side, TAIL, 1);
            Clients.send(side, Clients.IN_BULK, records, i -> new ProducerRecord<>(COLD, payload.value(i)));
            PacedRecords.run(side, TAIL, BYTES, RATE, time);
        });
        bench.inTurn(side -> {
            double alone = tail(side, time).percentileMs(99);
            bench.add("200 records/s", ALONE, side, alone);
            dropFromPageCache(side);
            try (Reader reader = new Reader(side)) {
                double beside = tail(side, time).percentileMs(99);
                bench.add("200 records/s", BESIDE, side, beside);
                bench.add("200 records/s", FACTOR, side, beside / alone);
                bench.add("200 records/s", COLD_RATE, side, reader.rate());
            }
        });
        bench.onEach(side -> Clients.deleteTopics(side, List.of(COLD, TAIL)));
    }

    private static Latencies tail(Side side, Duration time) throws Exception {
        return PacedRecords.run(side, TAIL, BYTES, RATE, time).read();
    }

    private static void dropFromPageCache(Side side) throws IOException, InterruptedException {
        Path folder = side.data().orElseThrow().resolve(COLD + "-0");
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(name -> name.toString().endsWith(".log")).toList()) {
                // forces what is dirty, then advises the system to forget the whole file
                Process dd = new ProcessBuilder(
                                "dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none")
                        .inheritIO()
                        .start();
                if (dd.waitFor() != 0) {
                    throw new IOException("dd cannot drop %s from the page cache".formatted(file));
                }
            }
        }
    }

    /** Reads all from the beginning, in a thread of its own, until it is closed or through. */
    private static final class Reader implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();
        private final AtomicLong bytes = new AtomicLong();
        private final Side side;
        private final long start = System.nanoTime();
        private final Thread thread = new Thread(this::run, "cold-reader");
        private volatile long end;

        Reader(Side side) {
            this.side = side;
            thread.start();
        }

        private void run() {
            try (KafkaConsumer<byte[], byte[]> consumer =
                    Clients.consumer(side, Map.of("max.partition.fetch.bytes", 8 << 20))) {
                TopicPartition partition = new TopicPartition(COLD, 0);
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                long last = consumer.endOffsets(List.of(partition)).get(partition);
                while (!closed.get() && consumer.position(partition) < last) {
                    consumer.poll(Duration.ofMillis(200))
                            .forEach(record -> bytes.addAndGet(record.serializedValueSize()));
                }
            } finally {
                end = System.nanoTime();
            }
        }

        /** MiB a second until it was through, or until now. */
        double rate() {
            return bytes.get() / MIB / Seconds.of((end == 0 ? System.nanoTime() : end) - start);
        }

        @Override
        public void close() throws InterruptedException {
            closed.set(true);
            thread.join();
        }
    }
}
