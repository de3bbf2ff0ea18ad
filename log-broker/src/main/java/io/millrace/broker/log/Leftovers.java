package io.millrace.broker.log;

import io.millrace.kernel.Disk;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** What a crash may leave in a log's folder besides the log: finishes what was decided and removes the rest. */
final class Leftovers {
    private final LogFolder folder;
    private final Disk disk;

    private Leftovers(LogFolder folder) {
        this.folder = folder;
        disk = folder.disk();
    }

    /** Leaves only files that belong to the log, and returns them. */
    static Set<Path> tidy(LogFolder folder) {
        return new Leftovers(folder).tidied();
    }

    private Set<Path> tidied() {
        List<Path> found = folder.files();
        List<Long> swaps = LogFolder.offsets(found, LogFolder.LOG + LogFolder.SWAP);
        swaps.forEach(base -> finishSwap(base, found));
        List<Path> files = swaps.isEmpty() ? found : folder.files();
        Set<Path> kept = new HashSet<>(files);
        Set<Long> segments = new HashSet<>(LogFolder.offsets(files, LogFolder.LOG));
        for (Path file : files) {
            if (isLeftOver(file) || isOrphan(file, segments)) {
                disk.delete(file);
                kept.remove(file);
            }
        }
        return kept;
    }

    private static boolean isLeftOver(Path file) {
        return LogFolder.endsWith(file, LogFolder.DELETED)
                || LogFolder.endsWith(file, LogFolder.CLEANED)
                || LogFolder.endsWith(file, LogFolder.SWAP);
    }

    private static boolean isOrphan(Path file, Set<Long> segments) {
        for (String index : LogFolder.INDEXES) {
            OptionalLong base = LogFolder.offset(file, index);
            if (base.isPresent() && !segments.contains(base.getAsLong())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Puts a compacted segment in the place of those it was made from. All its files were complete before its log was
     * given this name, so an index that does not have it any more is already in its place.
     */
    private void finishSwap(long base, List<Path> found) {
        Path swap = folder.file(base, LogFolder.LOG + LogFolder.SWAP);
        long end = endOf(swap, base);
        for (long old : LogFolder.offsets(found, LogFolder.LOG)) {
            if (old > base && old < end) {
                disk.delete(folder.file(old, LogFolder.LOG));
            }
        }
        for (String index : LogFolder.INDEXES) {
            Path compacted = folder.file(base, index + LogFolder.SWAP);
            if (found.contains(compacted)) {
                disk.rename(compacted, folder.file(base, index));
            }
        }
        disk.rename(swap, folder.file(base, LogFolder.LOG));
    }

    private long endOf(Path swap, long base) {
        LazyFile file = new LazyFile(disk, () -> swap);
        BatchCursor cursor = new BatchCursor(file, 0, Math.toIntExact(file.size()), BatchCursor.LONG);
        long end = base;
        while (cursor.next()) {
            end = cursor.batch().lastOffset() + 1;
        }
        file.close();
        return end;
    }
}
