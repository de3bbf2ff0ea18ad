package io.millrace.broker.log;

import io.millrace.kernel.Disk;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * The folder of one partition and the names of the files in it. A log that never had a record needs none, so that a
 * broker with many partitions pays for those in use: the folder is made by the first write.
 */
public final class LogFolder {
    static final String LOG = ".log";
    static final String OFFSET_INDEX = ".index";
    static final String TIME_INDEX = ".timeindex";
    static final String ABORTED_INDEX = ".txnindex";
    static final String SNAPSHOT = ".snapshot";
    static final List<String> INDEXES = List.of(OFFSET_INDEX, TIME_INDEX, ABORTED_INDEX);

    /** Waiting to be deleted. */
    static final String DELETED = ".deleted";
    /** Compacted, not finished: worthless after a crash. */
    static final String CLEANED = ".cleaned";
    /** Compacted and finished: after a crash it still takes the place of what it was made from. */
    static final String SWAP = ".swap";

    private static final int DIGITS = 20;

    private final Disk disk;
    private final Path path;
    private final Maker maker;
    private boolean made;
    private volatile boolean durable;

    private LogFolder(Disk disk, Path path, boolean made, Maker maker) {
        this.disk = disk;
        this.path = path;
        this.made = made;
        this.maker = maker;
    }

    /** A folder that is there; it may have been made by a process that died before it forced it. */
    public static LogFolder existing(Disk disk, Path path, Maker maker) {
        return new LogFolder(disk, path, true, maker);
    }

    /** A folder that is not there yet. */
    public static LogFolder unmade(Disk disk, Path path, Maker maker) {
        return new LogFolder(disk, path, false, maker);
    }

    /** Makes a folder and what must be in it before anything else. */
    public interface Maker {

        /** Called by the log's owner; again where it has failed. */
        void make();

        /** Makes the folder itself survive a power cut; any thread. */
        void force();
    }

    Disk disk() {
        return disk;
    }

    Path path() {
        return path;
    }

    boolean isMade() {
        return made;
    }

    /** To be called before the first file is put into it. */
    void make() {
        if (!made) {
            maker.make();
            made = true;
        }
    }

    List<Path> files() {
        return made ? disk.list(path) : List.of();
    }

    Path file(long offset, String suffix) {
        String digits = Long.toString(offset);
        return path.resolve("0".repeat(DIGITS - digits.length()) + digits + suffix);
    }

    LazyFile lazy(long offset, String suffix) {
        return new LazyFile(disk, () -> file(offset, suffix));
    }

    /** Makes what was created, renamed and deleted here survive a power cut. */
    void force() {
        if (!made) {
            return;
        }
        if (!durable) {
            maker.force();
            durable = true;
        }
        disk.forceFolder(path);
    }

    /** The offset in a file's name, where the name ends as asked for. */
    static OptionalLong offset(Path file, String suffix) {
        String name = file.getFileName().toString();
        if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
            return OptionalLong.empty();
        }
        for (int i = 0; i < DIGITS; i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(Long.parseLong(name.substring(0, DIGITS)));
    }

    /** The offsets in the names of all files that end as asked for, ascending. */
    static List<Long> offsets(Collection<Path> files, String suffix) {
        return files.stream()
                .map(file -> offset(file, suffix))
                .filter(OptionalLong::isPresent)
                .map(OptionalLong::getAsLong)
                .sorted()
                .toList();
    }

    static boolean endsWith(Path file, String suffix) {
        return file.getFileName().toString().endsWith(suffix);
    }

    @Override
    public String toString() {
        return path.getFileName().toString();
    }
}
