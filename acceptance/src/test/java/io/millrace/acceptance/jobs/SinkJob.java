package io.millrace.acceptance.jobs;

import static io.millrace.sinks.jdbc.Row.row;
import static io.millrace.streams.Formats.int32;

import io.millrace.sinks.jdbc.JdbcDatabase;
import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import io.millrace.streams.runtime.Millrace;
import java.util.Arrays;

/** A job to be killed: numbers into a table without any key. Arguments: its name, the database, then those of every job. */
final class SinkJob {
    static final String COUNT = "SELECT COUNT(*), COUNT(DISTINCT n) FROM numbers";

    private SinkJob() {}

    static Topic<Integer, Integer> in(String name) {
        return Topic.of(name + "-in", int32(), int32());
    }

    static Job job(String name, JdbcDatabase database) {
        return Job.define(
                name,
                flow -> flow.from(in(name))
                        .into(database.setup("CREATE TABLE IF NOT EXISTS numbers (n INTEGER NOT NULL)")
                                .statement("INSERT INTO numbers (n) VALUES (?)", (key, value) -> row(value))));
    }

    public static void main(String[] args) {
        Millrace.run(job(args[0], JdbcDatabase.at(args[1])), Arrays.copyOfRange(args, 2, args.length));
    }
}
