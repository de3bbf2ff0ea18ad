package io.millrace.broker.api;

import io.millrace.broker.log.Damage;
import io.millrace.broker.log.Slice;
import io.millrace.broker.partition.Damaged;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.broker.wire.FetchedRecords;
import io.millrace.kernel.Connection.FileRange;
import io.millrace.kernel.DiskException;
import java.util.List;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;

/** What a fetch has found for one partition, and what must be read through before it is sent. */
final class UnprovenRead {
    private final PartitionRegistry.Place place;
    private final Slice slice;
    private final PartitionData data;
    private Damage damage;

    UnprovenRead(PartitionRegistry.Place place, Slice slice, PartitionData data) {
        this.place = place;
        this.slice = slice;
        this.data = data;
    }

    /** Waits for the disk. */
    void readThrough() {
        try {
            damage = slice.damage();
        } catch (DiskException e) {
            // whoever sends it will meet the same trouble, and deal with it
        }
    }

    /**
     * Sends what comes before a damage, and has the partition know of it.
     *
     * @param copies of the partition in the cluster
     */
    void settle(int copies) {
        if (damage == null) {
            return;
        }
        if (damage.position() > slice.position()) {
            FetchedRecords.put(
                    data, List.of(new FileRange(slice.file(), slice.position(), damage.position() - slice.position())));
        } else {
            FetchedRecords.release(data);
            FetchedRecords.put(data, List.of());
            // the former makes clients try again, until the records have come from another replica
            data.setErrorCode((copies > 1 ? ErrorCode.KAFKA_STORAGE_ERROR : ErrorCode.CORRUPT_MESSAGE).code());
        }
        place.shard().submit(new Damaged(place.partition().id(), damage));
    }

    PartitionRegistry.Place place() {
        return place;
    }
}
