package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * An index file: entries of one size, in ascending order. The newest entries are in memory until {@link #flush}, which
 * a log calls when they become many, and before everything that makes the log durable up to a point. After a crash,
 * what is behind that point is rebuilt from the segment, so nothing is lost by not writing every entry at once.
 */
final class EntryFile {
    private static final int MANY = 512;
    private static final byte[] NONE = {};

    private final LazyFile file;
    private final int entryBytes;
    private int inFile;
    private byte[] tail = NONE;
    private int inTail;
    private boolean exists;
    private boolean unforced;
    private Entries entries;

    /** @param exists whether the file is there; how long it is will be asked when somebody needs to know */
    EntryFile(LazyFile file, int entryBytes, boolean exists) {
        this.file = file;
        this.entryBytes = entryBytes;
        this.exists = exists;
        inFile = exists ? Entries.NOT_ASKED : 0;
    }

    /** As of now; later additions and truncations do not change it. */
    Entries entries() {
        if (entries == null) {
            entries = new Entries(file, entryBytes, inFile, tail, inTail);
        }
        return entries;
    }

    int count() {
        return inFile() + inTail;
    }

    private int inFile() {
        if (inFile == Entries.NOT_ASKED) {
            inFile = entries().inFile();
        }
        return inFile;
    }

    /** Adds an entry, to be filled by the caller right away. */
    ByteBuffer add() {
        int at = inTail * entryBytes;
        if (at + entryBytes > tail.length) {
            tail = Arrays.copyOf(tail, Math.max(8 * entryBytes, 2 * tail.length));
        }
        inTail++;
        entries = null;
        return ByteBuffer.wrap(tail, at, entryBytes);
    }

    /** The last entry; null where there is none. */
    ByteBuffer last() {
        return count() == 0 ? null : entries().get(count() - 1);
    }

    void flushIfMany() {
        if (inTail >= MANY) {
            flush();
        }
    }

    void flush() {
        if (inTail > 0) {
            file.write((long) inFile() * entryBytes, ByteBuffer.wrap(tail, 0, inTail * entryBytes));
            inFile += inTail;
            inTail = 0;
            tail = NONE;
            entries = null;
            exists = true;
            unforced = true;
        }
    }

    /** Flushes so that the file is there even when it has no entries. */
    void complete() {
        flush();
        if (!exists) {
            file.truncate(0);
            exists = true;
            unforced = true;
        }
    }

    /** Whether there is a file; what it lacks may still be in memory. */
    boolean exists() {
        return exists;
    }

    boolean isUnforced() {
        return unforced;
    }

    /** Whether the file was written since this was last asked. */
    boolean takeUnforced() {
        boolean was = unforced;
        unforced = false;
        return was;
    }

    /** Keeps the first entries. */
    void truncate(int count) {
        if (count < inFile()) {
            file.truncate((long) count * entryBytes);
            unforced = true;
            inFile = count;
            inTail = 0;
            tail = NONE;
        } else {
            inTail = Math.min(inTail, count - inFile);
            tail = Arrays.copyOf(tail, inTail * entryBytes);
        }
        entries = null;
    }

    /**
     * Keeps the entries before the first one that does not hold. Even where that is all of them, the process before this
     * one may have cut the file without forcing it.
     */
    void keepWhile(Predicate<ByteBuffer> holds) {
        truncate(entries().firstWhereNot(holds));
        unforced = exists;
    }

    /** Drops the last entry for as long as it does not hold. */
    void dropLastUntil(Predicate<ByteBuffer> holds) {
        int kept = count();
        while (kept > 0 && !holds.test(entries().get(kept - 1))) {
            kept--;
        }
        if (kept < count()) {
            truncate(kept);
        }
    }

    LazyFile file() {
        return file;
    }
}
