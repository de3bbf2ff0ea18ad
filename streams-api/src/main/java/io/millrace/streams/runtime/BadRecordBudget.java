package io.millrace.streams.runtime;

/**
 * How many records may go to the dead letters before the job stops instead: more than {@code limit} bad ones among any
 * {@code window} consecutive records of one partition are too many.
 */
public record BadRecordBudget(int limit, int window) {
    public BadRecordBudget {
        if (limit < 0 || window < 1) {
            throw new IllegalArgumentException(
                    "a bad-record budget takes a limit from 0 and a window from 1, found %d of %d"
                            .formatted(limit, window));
        }
    }

    public static BadRecordBudget share(double share, int window) {
        return new BadRecordBudget((int) (share * window), window);
    }

    /** The first bad record stops the job. */
    public static BadRecordBudget none() {
        return new BadRecordBudget(0, 1);
    }
}
