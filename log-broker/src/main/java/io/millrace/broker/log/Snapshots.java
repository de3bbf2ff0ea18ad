package io.millrace.broker.log;

import io.millrace.kernel.DiskException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The snapshot files of a log's producers, by the offset they stand at. */
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);

    /** One for the newest state, one in case that file is damaged. */
    private static final int NEWEST_KEPT = 2;

    private final LogFolder folder;
    private final TreeSet<Long> offsets;

    Snapshots(LogFolder folder, List<Long> existing) {
        this.folder = folder;
        offsets = new TreeSet<>(existing);
    }

    /** The producers as of one offset. */
    record Restored(long offset, List<ProducerEntry> entries) {}

    void written(long offset) {
        offsets.add(offset);
    }

    /** The newest sound one at or below an offset. */
    Optional<Restored> newest(long atMost) {
        for (Long offset : offsets.headSet(atMost, true).descendingSet()) {
            Optional<List<ProducerEntry>> entries = read(offset);
            if (entries.isPresent()) {
                return Optional.of(new Restored(offset, entries.get()));
            }
            LOG.warn("{}: the producer snapshot at offset {} is damaged; an older one is used", folder, offset);
        }
        return Optional.empty();
    }

    private Optional<List<ProducerEntry>> read(long offset) {
        try {
            return ProducerSnapshot.decode(folder.disk().readFully(folder.file(offset, LogFolder.SNAPSHOT)));
        } catch (DiskException e) {
            if (e.kind() == DiskException.Kind.MISSING) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Those above an offset speak of records that are gone, or may not be there. */
    void deleteAbove(long offset) {
        delete(List.copyOf(offsets.tailSet(offset, false)));
    }

    /** Keeps the newest, and those where a segment begins: a truncation goes back to one of them. */
    void prune(Segments segments) {
        List<Long> unneeded = new ArrayList<>();
        int newer = 0;
        for (Long offset : offsets.descendingSet()) {
            if (newer++ >= NEWEST_KEPT && !segments.isSegmentBase(offset)) {
                unneeded.add(offset);
            }
        }
        delete(unneeded);
    }

    void deleteAll() {
        delete(List.copyOf(offsets));
    }

    private void delete(List<Long> unneeded) {
        for (Long offset : unneeded) {
            folder.disk().delete(folder.file(offset, LogFolder.SNAPSHOT));
            offsets.remove(offset);
        }
    }
}
