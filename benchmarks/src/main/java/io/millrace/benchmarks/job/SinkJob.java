package io.millrace.benchmarks.job;

import static io.millrace.sinks.jdbc.Row.row;
import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.json;

import io.millrace.sinks.jdbc.JdbcDatabase;
import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Writes customers into a table. Arguments: bootstrap, job name, topic, JDBC URL, table, folder. */
public final class SinkJob {
    /** A record of the topic. */
    public record Customer(String name, double amount, long ts, boolean flag) {}

    private static final int MILLIS = 1000;

    private SinkJob() {}

    public static void main(String[] args) {
        Topic<Long, Customer> in = Topic.of(args[2], int64(), json(Customer.class));
        Job job = Job.define(
                args[1],
                flow -> flow.from(in)
                        .into(JdbcDatabase.at(args[3])
                                .upsert(
                                        args[4],
                                        List.of("id"),
                                        List.of("name", "amount", "ts", "flag"),
                                        (id, customer) -> row(
                                                id,
                                                customer.name(),
                                                customer.amount(),
                                                time(customer),
                                                customer.flag()))));
        JobProcess.run(job, args[0], args[5]);
    }

    private static LocalDateTime time(Customer customer) {
        return LocalDateTime.ofEpochSecond(customer.ts() / MILLIS, 0, ZoneOffset.UTC);
    }
}
