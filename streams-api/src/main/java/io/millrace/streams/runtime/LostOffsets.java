package io.millrace.streams.runtime;

import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;

/** What is said when retention was faster than the job: going on would skip records silently. */
final class LostOffsets {
    private LostOffsets() {}

    static RuntimeException explained(RuntimeException error, String whose) {
        if (!(error instanceof OffsetOutOfRangeException lost)) {
            return error;
        }
        return new JobStoppedException(
                "%s is at %s, and the log no longer has these offsets; records were deleted before they were read. To go on without them, move %s to offsets that exist"
                        .formatted(whose, Map.copyOf(lost.offsetOutOfRangePartitions()), whose),
                error);
    }
}
