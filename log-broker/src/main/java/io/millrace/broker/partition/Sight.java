package io.millrace.broker.partition;

import io.millrace.broker.log.ReadView;

/** How far a reader sees. */
public enum Sight {
    /** What is decided: up to the last stable offset (read_committed). */
    DECIDED,
    /** What is committed: up to the high watermark. */
    COMMITTED,
    /** All there is, as replicas do. */
    EVERYTHING;

    /** The end of what can be seen. */
    public long end(ReadView view) {
        return switch (this) {
            case DECIDED -> view.lastStableOffset();
            case COMMITTED -> view.highWatermark();
            case EVERYTHING -> view.endOffset();
        };
    }
}
