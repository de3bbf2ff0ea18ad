package io.millrace.examples;

import io.millrace.sinks.jdbc.JdbcDatabase;
import io.millrace.streams.EmbeddedCluster;
import io.millrace.streams.Job;
import io.millrace.streams.plan.Description;
import io.millrace.streams.plan.Plan;
import io.millrace.streams.runtime.JobSettings;
import io.millrace.streams.runtime.Millrace;
import io.millrace.streams.runtime.Progress;
import io.millrace.streams.runtime.RunningJob;
import io.millrace.streams.runtime.SignalHook;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "flight-delays",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Loads 20,000 flights into a topic, and from there their delays into a table, exactly once."
                + " Stop or kill it at any moment; the next run goes on.")
final class FlightDelaysCommand implements Callable<Integer> {
    @Option(
            names = "--embedded",
            paramLabel = "DIR",
            arity = "0..1",
            defaultValue = "flight-delays-data",
            fallbackValue = "flight-delays-data",
            description =
                    "Folder for the broker in this process, the database and the states (default: ${DEFAULT-VALUE}).")
    private Path dir;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "Use this cluster instead of a broker in this process.")
    private String bootstrap;

    @Option(names = "--jdbc", paramLabel = "URL", description = "Use this database instead of H2 in the folder.")
    private String jdbc;

    @Option(names = "--user", description = "Of the database.")
    private String user = "";

    @Option(names = "--password", description = "Of the database.")
    private String password = "";

    @Option(names = "--workers", paramLabel = "N", description = "Threads that process (default: ${DEFAULT-VALUE}).")
    private int workers = 1;

    @Option(names = "--each-flight", description = "Also write every flight into a table without a key.")
    private boolean eachFlight;

    @Option(names = "--pace", paramLabel = "N", description = "Load N flights a second (default: as fast as possible).")
    private long pace;

    @Option(
            names = "--follow",
            description =
                    "Load nothing and go on until stopped: for more processes of this job, each with its own folder.")
    private boolean follow;

    @Option(names = "--describe", description = "Print stages, topics and states, as text and as a graph.")
    private boolean describe;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        JdbcDatabase database = FlightDelays.withTables(database());
        Job job = FlightDelays.job(database, eachFlight);
        if (describe) {
            Description description = new Description(Plan.of(job));
            out.printf("%s%n%n%s%n", description.text(), description.mermaid());
            return 0;
        }
        Files.createDirectories(dir);
        if (bootstrap != null) {
            return run(job, database, bootstrap, List.of(), out);
        }
        try (EmbeddedCluster.Running cluster = Millrace.embedded(dir.resolve("broker"))) {
            return run(job, database, cluster.bootstrap(), List.of(cluster), out);
        }
    }

    private JdbcDatabase database() {
        if (jdbc == null) {
            // not closed by H2's own shutdown hook, since the last commit of this process may still be under way
            String file = dir.resolve("flights").toAbsolutePath().toString();
            return JdbcDatabase.at("jdbc:h2:file:" + file + ";DB_CLOSE_ON_EXIT=FALSE");
        }
        return user.isEmpty() ? JdbcDatabase.at(jdbc) : JdbcDatabase.at(jdbc, user, password);
    }

    private int run(
            Job job, JdbcDatabase database, String bootstrap, List<EmbeddedCluster.Running> own, PrintWriter out)
            throws Exception {
        List<Flight> flights = FlightFile.read();
        FlightLoader loader = new FlightLoader(bootstrap, pace);
        loader.createTopic();
        JobSettings settings = JobSettings.of(bootstrap, dir.resolve("state")).workers(workers);
        try (RunningJob running = Millrace.start(job, settings)) {
            List<AutoCloseable> jobBeforeBroker = new ArrayList<>(List.of(running));
            jobBeforeBroker.addAll(own);
            try (SignalHook hook = SignalHook.closing(jobBeforeBroker);
                    Progress progress = Progress.of(running, out)) {
                if (follow) {
                    running.awaitStopped();
                    return running.failure() == null ? 0 : 1;
                }
                progress.say("loaded %,d flights".formatted(loader.load(flights)));
                running.awaitCaughtUp(Duration.ofMinutes(10));
            }
            return new DelayReport(database, out).print(flights.size()) ? 0 : 1;
        }
    }
}
