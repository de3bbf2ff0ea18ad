package io.millrace.streams.state;

import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/** One memory budget for all the stores of a process: blocks and write buffers come out of the same cache. */
public final class StateMemory implements AutoCloseable {
    static {
        RocksDB.loadLibrary();
    }

    private final Cache cache;
    private final WriteBufferManager writeBuffers;

    public StateMemory(long budgetBytes) {
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
