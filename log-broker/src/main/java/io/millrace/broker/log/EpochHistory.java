package io.millrace.broker.log;

import java.util.List;

/** Where each leader epoch of a log began, oldest first. */
record EpochHistory(List<Start> starts) {
    static final EpochHistory EMPTY = new EpochHistory(List.of());

    record Start(int epoch, long offset) {}

    EpochHistory {
        starts = List.copyOf(starts);
    }

    /** -1 where there is none. */
    int latest() {
        return starts.isEmpty() ? -1 : starts.get(starts.size() - 1).epoch();
    }

    /** Where an epoch, or the last one before it, ended in a log that ends at an offset. */
    OffsetAndEpoch endOf(int epoch, long endOffset) {
        if (epoch < 0 || epoch > latest()) {
            return OffsetAndEpoch.UNKNOWN;
        }
        int known = epoch;
        boolean found = false;
        for (Start start : starts) {
            if (start.epoch() > epoch) {
                return new OffsetAndEpoch(start.offset(), found ? known : epoch);
            }
            known = start.epoch();
            found = true;
        }
        return new OffsetAndEpoch(endOffset, known);
    }
}
