package io.millrace.streams.plan;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import java.util.List;

/**
 * A job as its runtime sees it. Stages are in the order in which records pass them.
 *
 * @param sources topics that must exist before the job starts
 * @param targets topics that the job writes and creates if they are missing
 */
public record Plan(
        Job job,
        List<Stage.OfLog> logStages,
        List<Stage.OfSink> sinkStages,
        List<Topic<?, ?>> sources,
        List<Topic<?, ?>> targets) {

    public static Plan of(Job job) {
        return new Planner(job).plan();
    }

    public String changelogTopic(String state) {
        return "%s-%s-changelog".formatted(job.name(), state);
    }

    public String deadLetterTopic() {
        return job.name() + "-dead-letters";
    }

    /** Begins the transactional id of every slot of this job. */
    public String slotPrefix() {
        return job.name() + "-slot-";
    }
}
