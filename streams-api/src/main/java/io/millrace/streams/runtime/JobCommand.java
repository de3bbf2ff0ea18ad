package io.millrace.streams.runtime;

import io.millrace.streams.EmbeddedCluster;
import io.millrace.streams.Job;
import io.millrace.streams.plan.Description;
import io.millrace.streams.plan.Plan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.OffsetSpec;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of every job. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, description = "Runs this job until it is stopped.")
final class JobCommand implements Callable<Integer> {
    static final class Where {
        @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Run on this cluster.")
        String bootstrap;

        @Option(
                names = "--embedded",
                paramLabel = "DIR",
                arity = "0..1",
                fallbackValue = "millrace-data",
                description = "Run with a broker in this process, its data in DIR (default: ${FALLBACK-VALUE}).")
        Path embedded;

        @Option(names = "--describe", description = "Print stages, topics and states, as text and as a graph.")
        boolean describe;
    }

    private final Job job;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Where where;

    @Option(names = "--workers", paramLabel = "N", description = "Threads that process (default: ${DEFAULT-VALUE}).")
    private int workers = 1;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "Folder for states (default: in the embedded folder, or millrace-state/JOB).")
    private Path state;

    @Option(
            names = "--reset",
            paramLabel = "WHERE",
            converter = ResetTarget.class,
            description = "Do not run, but make the next run compute again from here, with new states:"
                    + " 'earliest', or the time of a record, like 2001-03-01T12:00:00Z.")
    private OffsetSpec reset;

    JobCommand(Job job) {
        this.job = job;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (where.describe) {
            Description description = new Description(Plan.of(job));
            out.println(description.text());
            out.println();
            out.println(description.mermaid());
            return 0;
        }
        if (where.embedded == null) {
            return run(where.bootstrap, Path.of("millrace-state"), List.of(), out);
        }
        try (EmbeddedCluster.Running cluster = Millrace.embedded(where.embedded.resolve("broker"))) {
            out.println("broker at " + cluster.bootstrap());
            TopicPreparation.createSources(cluster.bootstrap(), Plan.of(job));
            return run(cluster.bootstrap(), where.embedded.resolve("state"), List.of(cluster), out);
        }
    }

    private int run(String bootstrap, Path defaultStates, List<EmbeddedCluster.Running> clusters, PrintWriter out)
            throws InterruptedException {
        Path stateDir = state != null ? state : defaultStates.resolve(job.name());
        JobSettings settings = JobSettings.of(bootstrap, stateDir).workers(workers);
        if (reset != null) {
            JobReset.run(job, settings, reset)
                    .forEach((partition, offset) -> out.println("%s begins at %d".formatted(partition, offset)));
            return 0;
        }
        try (RunningJob running = Millrace.start(job, settings)) {
            List<AutoCloseable> jobBeforeBroker = new ArrayList<>(List.of(running));
            jobBeforeBroker.addAll(clusters);
            try (SignalHook hook = SignalHook.closing(jobBeforeBroker);
                    Progress progress = Progress.of(running, out)) {
                running.awaitStopped();
            }
            return running.failure() == null ? 0 : 1;
        }
    }
}
