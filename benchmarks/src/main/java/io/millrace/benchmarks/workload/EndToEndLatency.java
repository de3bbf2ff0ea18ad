package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.measure.Latencies;
import io.millrace.benchmarks.measure.Metric;
import java.time.Duration;
import java.util.List;

/** How long a record takes at a low rate, from when it was due to its reader. */
public final class EndToEndLatency implements Workload {
    public static final Metric MEDIAN = Metric.of("end to end, median", "ms");
    public static final Metric P99 = Metric.of("end to end, 99 %", "ms");
    static final Metric P999 = Metric.of("end to end, 99.9 %", "ms");
    static final Metric ACK_MEDIAN = Metric.of("acknowledged, median", "ms");
    static final Metric ACK_P99 = Metric.of("acknowledged, 99 %", "ms");
    static final Metric CPU = Metric.of("broker CPU", "s per million records");

    private static final int RATE = 200;
    private static final Duration TIME = Duration.ofSeconds(15);
    private static final double MILLION = 1e6;
    private static final String TOPIC = "latency";

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String settings() {
        return "200 records a second into one partition, linger.ms=0, acks=all, idempotent; a consumer with defaults in the same process. "
                + "Each round 15 s (3,000 records).";
    }

    @Override
    public void run(Bench bench) throws Exception {
        bench.onEach(side -> {
            Clients.createTopic(side, TOPIC, 1);
            PacedRecords.run(side, TOPIC, 100, 5 * RATE, bench.scale().of(TIME));
        });
        for (int bytes : List.of(100, 1024)) {
            String testCase = bytes + " B";
            bench.inTurn(side -> {
                CpuMeter cpu = CpuMeter.start(side);
                PacedRecords paced =
                        PacedRecords.run(side, TOPIC, bytes, RATE, bench.scale().of(TIME));
                Latencies read = paced.read();
                bench.add(testCase, MEDIAN, side, read.percentileMs(50));
                bench.add(testCase, P99, side, read.percentileMs(99));
                bench.add(testCase, P999, side, read.percentileMs(99.9));
                bench.add(testCase, ACK_MEDIAN, side, paced.acknowledged().percentileMs(50));
                bench.add(testCase, ACK_P99, side, paced.acknowledged().percentileMs(99));
                cpu.add(bench, testCase, CPU, read.count() / MILLION);
            });
        }
        bench.onEach(side -> Clients.deleteTopics(side, List.of(TOPIC)));
    }
}
