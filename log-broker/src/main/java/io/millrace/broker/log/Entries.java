package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.function.Predicate;

/**
 * The entries of an index as of one moment; any thread may read them. An entry that the owner has cut off since counts
 * as not there: it belonged to records that are gone.
 */
final class Entries {
    static final int NOT_ASKED = -1;
    private static final int CHUNK_ENTRIES = 256;

    private final LazyFile file;
    private final int entryBytes;
    private final byte[] tail;
    private final int inTail;
    private int inFile;

    Entries(LazyFile file, int entryBytes, int inFile, byte[] tail, int inTail) {
        this.file = file;
        this.entryBytes = entryBytes;
        this.inFile = inFile;
        this.tail = tail;
        this.inTail = inTail;
    }

    /** Threads that race here find the same answer. */
    int inFile() {
        if (inFile == NOT_ASKED) {
            inFile = Math.toIntExact(file.size() / entryBytes);
        }
        return inFile;
    }

    int count() {
        return inFile() + inTail;
    }

    /** Null where the entry has been cut off. */
    ByteBuffer get(int index) {
        if (index >= inFile()) {
            return ByteBuffer.wrap(tail, (index - inFile) * entryBytes, entryBytes)
                    .slice();
        }
        ByteBuffer entry = ByteBuffer.allocate(entryBytes);
        file.read((long) index * entryBytes, entry);
        return entry.hasRemaining() ? null : entry.flip();
    }

    /** The last entry for which something holds that holds for all entries before it; null where there is none. */
    ByteBuffer lastWhere(Predicate<ByteBuffer> holds) {
        int low = countWhere(holds);
        return low == 0 ? null : get(low - 1);
    }

    /** How many entries something holds for that holds for all entries before the last of them. */
    int countWhere(Predicate<ByteBuffer> holds) {
        int low = 0;
        int high = count();
        while (high - low > CHUNK_ENTRIES) {
            int middle = (low + high) >>> 1;
            ByteBuffer entry = get(middle);
            if (entry != null && holds.test(entry)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return countWhere(holds, low, high);
    }

    /** The same where the answer is known to lie between two bounds, which are so close that one read serves. */
    private int countWhere(Predicate<ByteBuffer> holds, int from, int to) {
        ByteBuffer chunk = chunk(from, to);
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            ByteBuffer entry = middle < inFile() ? entryOf(chunk, middle - from) : get(middle);
            if (entry != null && holds.test(entry)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** As many of these entries as are in the file. */
    private ByteBuffer chunk(int from, int to) {
        int entries = Math.max(0, Math.min(to, inFile()) - from);
        ByteBuffer chunk = ByteBuffer.allocate(entries * entryBytes);
        if (entries > 0) {
            file.read((long) from * entryBytes, chunk);
        }
        return chunk.flip();
    }

    /** Null where the entry has been cut off. */
    private ByteBuffer entryOf(ByteBuffer chunk, int index) {
        return (index + 1) * entryBytes <= chunk.limit() ? chunk.slice(index * entryBytes, entryBytes) : null;
    }

    /** The index of the first entry for which something does not hold, looking at every one before it. */
    int firstWhereNot(Predicate<ByteBuffer> holds) {
        int index = 0;
        while (index < inFile()) {
            ByteBuffer chunk = chunk(index, index + CHUNK_ENTRIES);
            int whole = chunk.limit() / entryBytes;
            for (int i = 0; i < whole; i++, index++) {
                if (!holds.test(entryOf(chunk, i))) {
                    return index;
                }
            }
            if (whole == 0) {
                return index;
            }
        }
        while (index < count() && holds.test(get(index))) {
            index++;
        }
        return index;
    }
}
