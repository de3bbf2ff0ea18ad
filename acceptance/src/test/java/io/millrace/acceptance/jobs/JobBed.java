package io.millrace.acceptance.jobs;

import io.millrace.acceptance.fixture.Brokers;
import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestTopics;
import io.millrace.streams.Job;
import io.millrace.streams.runtime.JobSettings;
import io.millrace.streams.runtime.Millrace;
import io.millrace.streams.runtime.RunningJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts jobs on the shared broker, and stops what is left of them after the test. */
final class JobBed implements AfterEachCallback {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<RunningJob> jobs = new ArrayList<>();
    private TestTopics topics;

    String bootstrap() {
        return Brokers.shared().bootstrap();
    }

    TestTopics topics() {
        if (topics == null) {
            topics = new TestTopics(bootstrap());
        }
        return topics;
    }

    /** With a state directory of its own. */
    JobSettings settings(String name) {
        return JobSettings.of(bootstrap(), Folders.create(name));
    }

    JobSettings settings(Path stateDir) {
        return JobSettings.of(bootstrap(), stateDir);
    }

    RunningJob start(Job job) {
        return start(job, settings(job.name()));
    }

    RunningJob start(Job job, JobSettings settings) {
        RunningJob running = Millrace.start(job, settings);
        jobs.add(running);
        return running;
    }

    void runUntilCaughtUp(Job job, JobSettings settings) {
        try (RunningJob running = start(job, settings)) {
            running.awaitCaughtUp(PATIENCE);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        jobs.forEach(RunningJob::close);
        jobs.clear();
        if (topics != null) {
            topics.close();
            topics = null;
        }
    }
}
