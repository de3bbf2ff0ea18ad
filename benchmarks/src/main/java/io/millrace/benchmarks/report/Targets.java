package io.millrace.benchmarks.report;

import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.measure.Row;
import io.millrace.benchmarks.report.Target.Kind;
import io.millrace.benchmarks.workload.ColdReader;
import io.millrace.benchmarks.workload.EndToEndLatency;
import io.millrace.benchmarks.workload.JdbcSink;
import io.millrace.benchmarks.workload.ManyPartitions;
import io.millrace.benchmarks.workload.ProduceAndConsume;
import io.millrace.benchmarks.workload.ReplicatedProduce;
import io.millrace.benchmarks.workload.StartUp;
import io.millrace.benchmarks.workload.StreamJobs;
import io.millrace.benchmarks.workload.Transactions;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;

/** What we want to be: a list to be proud of or ashamed of, never to be bent. */
final class Targets {
    private static final String OURS = "millrace";
    private static final String KAFKA = "apache-kafka";
    private static final double THIRD = 1.0 / 3;
    private static final double FIFTH = 0.2;

    private Targets() {}

    static List<Target> all() {
        Predicate<String> any = testCase -> true;
        Predicate<String> compressed = testCase -> !testCase.contains("none");
        Predicate<String> large = testCase -> testCase.contains("large");
        Predicate<String> tenThousand = ManyPartitions.TEN_THOUSAND::equals;
        Predicate<String> oneOfOne = Transactions.ONE_OF_ONE::equals;
        return List.of(
                ratio("spawn to first answer", "start", StartUp.FIRST_ANSWER, any, Kind.AT_MOST, FIFTH),
                own("spawn to first answer, ms", "start", StartUp.FIRST_ANSWER, Kind.AT_MOST, 1500),
                ratio("resident memory, idle", "start", StartUp.IDLE, any, Kind.AT_MOST, 0.5),
                produce("default batches", large.negate(), 0.5),
                produce("large batches", large.and(compressed.negate()), 0.5),
                produce("large batches, compressed", large.and(compressed), THIRD),
                ratio("consume, broker CPU per GiB", "produce", ProduceAndConsume.CONSUME_CPU, any, Kind.AT_MOST, 1),
                ratio("end to end, median", "latency", EndToEndLatency.MEDIAN, any, Kind.AT_MOST, 0.7),
                ratio("end to end, 99 %", "latency", EndToEndLatency.P99, any, Kind.AT_MOST, 0.7),
                ratio("transactions of 1 record, 1/s", "transactions", Transactions.RATE, oneOfOne, Kind.AT_LEAST, 3),
                ratio("likewise, broker CPU", "transactions", Transactions.CPU, oneOfOne, Kind.AT_MOST, 0.25),
                own("tail beside a cold reader / alone, 99 %", "cold-reader", ColdReader.FACTOR, Kind.AT_MOST, 1.5),
                partitions("create", ManyPartitions.CREATE, tenThousand, 0.1),
                partitions("restart after kill -9", ManyPartitions.RESTART_KILLED, tenThousand, 0.1),
                partitions("resident memory", ManyPartitions.RESIDENT, tenThousand, THIRD),
                ratio(
                        "three replicas: CPU of all brokers",
                        "replicated",
                        ReplicatedProduce.CPU_RECORDS,
                        any,
                        Kind.AT_MOST,
                        THIRD),
                job("stateless map", StreamJobs.MAP, 1.4),
                job("word count", StreamJobs.WORD_COUNT, 3),
                sink("plain JDBC's best", JdbcSink.PLAIN_BEST, 0.8),
                sink("Debezium's JDBC sink", JdbcSink.DEBEZIUM, 4));
    }

    private static Target produce(String which, Predicate<String> cases, double bound) {
        return ratio(
                "produce, broker CPU per million records, " + which,
                "produce",
                ProduceAndConsume.PRODUCE_CPU_RECORDS,
                cases,
                Kind.AT_MOST,
                bound);
    }

    private static Target partitions(String what, Metric metric, Predicate<String> cases, double bound) {
        return ratio("10,000 partitions: " + what, "partitions", metric, cases, Kind.AT_MOST, bound);
    }

    private static Target job(String what, String testCase, double bound) {
        return new Target(
                what + ", exactly-once, records per CPU second of the job",
                "jobs",
                StreamJobs.PER_CPU_SECOND,
                testCase::equals,
                against(StreamJobs.KAFKA_STREAMS),
                Kind.AT_LEAST,
                bound);
    }

    private static Target sink(String whose, String side, double bound) {
        return new Target(
                "JDBC upsert, rows/s, against " + whose,
                "sink",
                JdbcSink.ROWS,
                testCase -> true,
                against(side),
                Kind.AT_LEAST,
                bound);
    }

    private static Target ratio(
            String claim, String workload, Metric metric, Predicate<String> cases, Kind kind, double bound) {
        return new Target(claim + ", ratio", workload, metric, cases, against(KAFKA), kind, bound);
    }

    private static Target own(String claim, String workload, Metric metric, Kind kind, double bound) {
        Function<Row, OptionalDouble> median = row -> row.sides().containsKey(OURS)
                ? OptionalDouble.of(row.sides().get(OURS).median())
                : OptionalDouble.empty();
        return new Target(claim, workload, metric, testCase -> true, median, kind, bound);
    }

    private static Function<Row, OptionalDouble> against(String other) {
        return row -> row.ratio(OURS, other);
    }
}
