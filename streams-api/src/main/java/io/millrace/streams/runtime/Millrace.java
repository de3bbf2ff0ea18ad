package io.millrace.streams.runtime;

import io.millrace.streams.EmbeddedCluster;
import io.millrace.streams.Job;
import java.nio.file.Path;
import java.util.ServiceLoader;
import picocli.CommandLine;

/** Runs jobs: from a main method, or as an object. */
public final class Millrace {
    private Millrace() {}

    /** What a job's main method calls. Returns when the job has been stopped; exits with 1 if it could not go on. */
    public static void run(Job job, String... args) {
        int code = execute(job, args);
        if (code != 0) {
            System.exit(code);
        }
    }

    /** Like {@link #run}, but hands over the exit code. */
    public static int execute(Job job, String... args) {
        return command(job).execute(args);
    }

    static CommandLine command(Job job) {
        CommandLine command = new CommandLine(new JobCommand(job));
        command.setCommandName(job.name());
        command.setExecutionExceptionHandler((error, commandLine, parsed) -> {
            if (!(error instanceof JobStoppedException)) {
                throw error;
            }
            commandLine.getErr().println(error.getMessage());
            return 1;
        });
        return command;
    }

    /** The job runs when this returns; closing it commits and leaves. */
    public static RunningJob start(Job job, JobSettings settings) {
        return RunningJob.start(job, settings);
    }

    /** A broker in this process, with its data in this folder. */
    public static EmbeddedCluster.Running embedded(Path dataDir) {
        EmbeddedCluster broker = ServiceLoader.load(EmbeddedCluster.class)
                .findFirst()
                .orElseThrow(
                        () -> new JobStoppedException(
                                "--embedded needs a broker on the class path, found none;"
                                        + " add the artifact io.millrace:log-broker, or connect to a cluster with --bootstrap HOST:PORT"));
        return new EmbeddedOnce(broker.start(dataDir));
    }
}
