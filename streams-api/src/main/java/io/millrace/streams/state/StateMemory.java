package io.millrace.streams.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.WriteBufferManager;

/** One memory budget for all the stores of a process: blocks and write buffers come out of the same cache. */
public final class StateMemory implements AutoCloseable {
    private final Cache cache;
    private final WriteBufferManager writeBuffers;

    /**
     * A budget of this size.
     *
     * @param libraryDir where the native library is unpacked, by the first job of a process: a folder of the job's own,
     *     since in the system's temporary folder each process that is killed would leave a copy behind
     */
    public StateMemory(long budgetBytes, Path libraryDir) {
        try {
            Files.createDirectories(libraryDir);
            NativeLibraryLoader.getInstance().loadLibrary(libraryDir.toString());
        } catch (IOException e) {
            throw new StateException("cannot unpack RocksDB into %s: %s".formatted(libraryDir, e.getMessage()), e);
        }
        this.cache = new LRUCache(budgetBytes);
        this.writeBuffers = new WriteBufferManager(budgetBytes / 2, cache);
    }

    Cache cache() {
        return cache;
    }

    WriteBufferManager writeBuffers() {
        return writeBuffers;
    }

    @Override
    public void close() {
        writeBuffers.close();
        cache.close();
    }
}
