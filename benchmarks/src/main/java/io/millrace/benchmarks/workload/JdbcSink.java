package io.millrace.benchmarks.workload;

import io.millrace.benchmarks.job.SinkJob;
import io.millrace.benchmarks.measure.Metric;
import io.millrace.benchmarks.measure.ProcessAccount;
import io.millrace.benchmarks.side.Product;
import io.millrace.benchmarks.side.Side;
import io.millrace.testbed.ChildProcess;
import io.millrace.testbed.JvmFlags;
import io.millrace.testbed.RestartablePostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/** Rows into PostgreSQL by upsert: our sink, plain JDBC at its best, and Debezium's sink on Kafka Connect. */
public final class JdbcSink implements Workload {
    public static final Metric ROWS = Metric.of("rows", "1/s");
    static final Metric CLIENT_CPU = Metric.of("client CPU", "s per million rows");
    static final Metric DATABASE_CPU = Metric.of("database CPU", "s per million rows");

    public static final String PLAIN_BEST = "plain JDBC, best";
    public static final String DEBEZIUM = "debezium";

    private static final String CASE = "upsert into an empty table";
    private static final String OURS = Product.MILLRACE.label();
    private static final int MOST_ROUNDS = 2;
    private static final int ROWS_FULL = 1_500_000;
    private static final int ROWS_DEBEZIUM = 200_000;
    private static final double MILLION = 1e6;
    private static final Duration PATIENCE = Duration.ofMinutes(9);
    /** Seldom, for each question walks over all rows that the transaction under way has written. */
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(200);

    private static final JvmFlags FLAGS = JvmFlags.of("-Xms1g", "-Xmx1g");
    private static final Map<String, String> SAFE_POSTGRES =
            Map.of("fsync", "on", "synchronous_commit", "on", "shared_buffers", "512MB", "max_wal_size", "4GB");

    private int tables;

    @Override
    public String name() {
        return "sink";
    }

    @Override
    public String settings() {
        return "Table (id bigint primary key, name text, amount double precision, ts timestamp, flag boolean), PostgreSQL with fsync and "
                + "synchronous_commit on, shared_buffers=512MB, max_wal_size=4GB. Ours: a job with one worker, JSON values, rows and offset in "
                + "one transaction of the database. Plain JDBC: 5,000 rows a transaction, no log behind it, the better of upsert by "
                + "unnest and of COPY into a temporary table with an upsert from there, each round. Debezium JDBC sink 3.5.0 on Connect "
                + "4.1.1: one task, upsert, batch.size=5000, JSON with schema. Sinks are measured over the second half of their rows, when"
                + " their JVMs have compiled what they run.";
    }

    @Override
    public void run(Bench bench) throws Exception {
        Side broker = bench.sides().ours();
        int rows = bench.scale().of(ROWS_FULL);
        int rowsOfDebezium = bench.scale().of(ROWS_DEBEZIUM);
        boolean withDebezium = DebeziumSink.isBuilt();
        if (!withDebezium) {
            bench.leaveOut("Debezium", "it is not built; mvn -f benchmarks/debezium package");
        }
        SinkInput.plain(broker, "sink-rows", rows);
        if (withDebezium) {
            SinkInput.withSchema(broker, "sink-connect", rowsOfDebezium);
        }
        try (RestartablePostgres postgres = RestartablePostgres.start(bench.newFolder("postgres"), SAFE_POSTGRES)) {
            for (int round = 0; round < Math.min(MOST_ROUNDS, bench.scale().rounds()); round++) {
                ours(bench, broker, postgres, rows);
                plain(bench, postgres, rows);
                if (withDebezium) {
                    debezium(bench, broker, postgres, rowsOfDebezium);
                }
            }
        }
    }

    private void ours(Bench bench, Side broker, RestartablePostgres postgres, int rows) throws Exception {
        String table = newTable(postgres);
        Path folder = bench.newFolder(table);
        try (ChildProcess job = ChildProcess.ofOwnClass(
                FLAGS,
                SinkJob.class,
                folder.resolve("output"),
                broker.bootstrap(),
                table + "-job",
                "sink-rows",
                postgres.url(),
                table,
                folder.resolve("state").toString())) {
            follow(bench, OURS, postgres, job, table, rows);
            job.stop(PATIENCE);
        }
    }

    private void debezium(Bench bench, Side broker, RestartablePostgres postgres, int rows) throws Exception {
        String table = newTable(postgres);
        Path folder = bench.newFolder(table);
        try (ChildProcess worker =
                DebeziumSink.start(FLAGS, folder, broker.bootstrap(), "sink-connect", postgres.url(), table)) {
            follow(bench, DEBEZIUM, postgres, worker, table, rows);
            worker.stop(PATIENCE);
        }
    }

    /** Rows come in the order of their ids, so the greatest id says how far a sink is. */
    private static void follow(
            Bench bench, String label, RestartablePostgres postgres, ChildProcess sink, String table, int rows)
            throws Exception {
        try (Connection connection = DriverManager.getConnection(postgres.url());
                Statement statement = connection.createStatement()) {
            long begun = awaitRows(statement, table, Math.max(1, rows / 2), sink);
            ProcessAccount client = new ProcessAccount(sink.pid());
            ProcessAccount database = new ProcessAccount(postgres.postmasterPid());
            double clientBefore = client.cpuSeconds();
            double databaseBefore = database.cpuSecondsWithChildren();
            long start = System.nanoTime();
            long ended = awaitRows(statement, table, rows, sink);
            double seconds = Seconds.since(start);
            double measured = Math.max(1, ended - begun);
            bench.add(CASE, ROWS, label, measured / seconds);
            bench.add(CASE, CLIENT_CPU, label, (client.cpuSeconds() - clientBefore) * MILLION / measured);
            bench.add(
                    CASE,
                    DATABASE_CPU,
                    label,
                    (database.cpuSecondsWithChildren() - databaseBefore) * MILLION / measured);
            check(statement, table, rows);
        }
    }

    private void plain(Bench bench, RestartablePostgres postgres, int rows) throws Exception {
        double best = 0;
        double clientCpu = 0;
        double databaseCpu = 0;
        for (PlainUpsert way : PlainUpsert.values()) {
            String table = newTable(postgres);
            ProcessAccount database = new ProcessAccount(postgres.postmasterPid());
            double clientBefore = ProcessAccount.self().cpuSeconds();
            double databaseBefore = database.cpuSecondsWithChildren();
            long start = System.nanoTime();
            way.write(postgres.url(), table, rows);
            double rate = rows / Seconds.since(start);
            if (rate > best) {
                best = rate;
                clientCpu = (ProcessAccount.self().cpuSeconds() - clientBefore) * MILLION / rows;
                databaseCpu = (database.cpuSecondsWithChildren() - databaseBefore) * MILLION / rows;
            }
        }
        bench.add(CASE, ROWS, PLAIN_BEST, best);
        bench.add(CASE, CLIENT_CPU, PLAIN_BEST, clientCpu);
        bench.add(CASE, DATABASE_CPU, PLAIN_BEST, databaseCpu);
    }

    private String newTable(RestartablePostgres postgres) throws SQLException {
        String table = "rows_" + tables++;
        try (Connection connection = DriverManager.getConnection(postgres.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table
                    + " (id bigint PRIMARY KEY, name text, amount double precision, ts timestamp, flag boolean)");
            statement.execute("CHECKPOINT");
        }
        return table;
    }

    private static long awaitRows(Statement statement, String table, long wanted, ChildProcess sink) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            long rows = number(statement, "SELECT coalesce(max(id) + 1, 0) FROM " + table);
            if (rows >= wanted) {
                return rows;
            }
            if (!sink.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "the sink wrote %,d of %,d rows: %s".formatted(rows, wanted, sink.output()));
            }
            Thread.sleep(BETWEEN_QUESTIONS.toMillis());
        }
    }

    private static void check(Statement statement, String table, long rows) throws SQLException {
        long found = number(statement, "SELECT count(*) FROM " + table);
        if (found != rows) {
            throw new IllegalStateException("%s holds %,d rows instead of %,d".formatted(table, found, rows));
        }
    }

    private static long number(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        }
    }
}
