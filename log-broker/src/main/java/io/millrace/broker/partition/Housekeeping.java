package io.millrace.broker.partition;

import io.millrace.broker.log.PartitionLog;

/** What is done to a log from time to time. */
final class Housekeeping {
    private Housekeeping() {}

    static void run(Maintain.Kind kind, Partition partition, long nowMs) {
        PartitionLog log = partition.log();
        switch (kind) {
            case RETENTION -> {
                log.rollIfDue(nowMs);
                log.applyRetention(nowMs, partition.view().highWatermark());
                log.deleteFilesDue(nowMs);
                log.expireProducers(nowMs);
            }
            case COMPACTION -> {}
        }
    }
}
