package io.millrace.benchmarks.job;

import io.millrace.streams.Job;
import io.millrace.streams.runtime.JobSettings;
import io.millrace.streams.runtime.Millrace;
import io.millrace.streams.runtime.RunningJob;
import java.nio.file.Path;

/** Runs a job with one worker until the process is ended. */
final class JobProcess {
    private JobProcess() {}

    static void run(Job job, String bootstrap, String stateDir) {
        RunningJob running = Millrace.start(job, JobSettings.of(bootstrap, Path.of(stateDir)));
        Runtime.getRuntime().addShutdownHook(new Thread(running::close));
    }
}
