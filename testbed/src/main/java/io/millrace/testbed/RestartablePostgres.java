package io.millrace.testbed;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A PostgreSQL that can be stopped and comes back on its port with its data. */
public final class RestartablePostgres implements AutoCloseable {
    private final Path dir;
    private final Map<String, String> settings;
    private final int port;
    private EmbeddedPostgres running;

    private RestartablePostgres(Path dir, Map<String, String> settings) throws IOException {
        this.dir = dir;
        this.settings = settings;
        this.running = configured().start();
        this.port = running.getPort();
    }

    /** Does not force what it commits, as is quick and enough for tests that do not cut the power. */
    public static RestartablePostgres start(Path dir) throws IOException {
        return new RestartablePostgres(dir, Map.of());
    }

    /** @param settings as in postgresql.conf; the library behind this switches fsync and synchronous_commit off unless told */
    public static RestartablePostgres start(Path dir, Map<String, String> settings) throws IOException {
        return new RestartablePostgres(dir, settings);
    }

    private EmbeddedPostgres.Builder configured() {
        EmbeddedPostgres.Builder builder =
                EmbeddedPostgres.builder().setDataDirectory(dir.resolve("data")).setCleanDataDirectory(false);
        settings.forEach(builder::setServerConfig);
        return builder;
    }

    /** Of the process whose children serve the connections. */
    public long postmasterPid() throws IOException {
        return Long.parseLong(
                Files.readAllLines(dir.resolve("data/postmaster.pid")).get(0));
    }

    public String url() {
        return "jdbc:postgresql://localhost:%d/postgres?user=postgres".formatted(port);
    }

    public void stop() throws IOException {
        running.close();
    }

    public void startAgain() throws IOException {
        running = configured().setPort(port).start();
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
