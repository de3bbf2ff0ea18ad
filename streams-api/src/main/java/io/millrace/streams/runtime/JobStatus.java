package io.millrace.streams.runtime;

import java.util.List;
import java.util.Map;

/**
 * A job at one moment.
 *
 * @param counts since this process started the job; restored are changelog records read into states
 * @param dropped records that had no effect, by reason
 * @param notes what each worker does or waits for
 */
public record JobStatus(
        State state, List<StageLag> stages, Counts counts, Map<String, Long> dropped, List<String> notes) {

    public enum State {
        RUNNING,
        STOPPED,
        FAILED
    }

    public record Counts(long processed, long written, long deadLetters, long restored, long commits, long aborts) {}

    /**
     * How far a stage is behind its topic.
     *
     * @param seconds how long ago the topic was as long as this stage has read; since this process has looked, at most
     */
    public record StageLag(String stage, long records, double seconds) {}

    public long lagRecords() {
        return stages.stream().mapToLong(StageLag::records).sum();
    }

    public double lagSeconds() {
        return stages.stream().mapToDouble(StageLag::seconds).max().orElse(0);
    }

    long droppedRecords() {
        return dropped.values().stream().mapToLong(Long::longValue).sum();
    }
}
