package io.millrace.streams.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The committed state of one task: a RocksDB with a column family for each store, and the changelog position that each
 * store stands for in the default one. Values and position change in one atomic write, so a crash leaves an older
 * commit, never half of one. The write-ahead log is not forced: a machine that loses power goes back to an older
 * commit too, and the changelog has the rest.
 */
public final class TaskDatabase implements AutoCloseable {
    private final Path dir;
    private final RocksDB db;
    private final DBOptions dbOptions;
    private final ColumnFamilyOptions storeOptions;
    private final WriteOptions writeOptions = new WriteOptions();
    private final ColumnFamilyHandle positions;
    private final Map<String, ColumnFamilyHandle> stores = new HashMap<>();

    private TaskDatabase(Path dir, List<String> storeNames, StateMemory memory) throws RocksDBException {
        this.dir = dir;
        this.dbOptions = new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setMaxOpenFiles(256)
                .setWriteBufferManager(memory.writeBuffers());
        this.storeOptions = new ColumnFamilyOptions()
                .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(memory.cache()));
        List<ColumnFamilyDescriptor> families = families(dir, storeNames);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        this.db = RocksDB.open(dbOptions, dir.toString(), families, handles);
        this.positions = handles.get(0);
        for (int i = 1; i < handles.size(); i++) {
            stores.put(new String(families.get(i).getName(), StandardCharsets.UTF_8), handles.get(i));
        }
    }

    /** Creates what is missing. Fails if another process or worker has the folder open. */
    public static TaskDatabase open(Path dir, List<String> storeNames, StateMemory memory) {
        try {
            Files.createDirectories(dir);
            return new TaskDatabase(dir, storeNames, memory);
        } catch (IOException | RocksDBException e) {
            throw new StateException("cannot open the state in %s: %s".formatted(dir, e.getMessage()), e);
        }
    }

    /** RocksDB insists on opening every family it holds, also those of states that the job no longer has. */
    private List<ColumnFamilyDescriptor> families(Path dir, List<String> storeNames) throws RocksDBException {
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, storeOptions));
        List<String> names = new ArrayList<>(storeNames);
        try (org.rocksdb.Options options = new org.rocksdb.Options()) {
            for (byte[] known : RocksDB.listColumnFamilies(options, dir.toString())) {
                String name = new String(known, StandardCharsets.UTF_8);
                if (!Arrays.equals(known, RocksDB.DEFAULT_COLUMN_FAMILY) && !names.contains(name)) {
                    names.add(name);
                }
            }
        }
        for (String name : names) {
            families.add(new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), storeOptions));
        }
        return families;
    }

    /** Where the changelog has to be read from to bring this store up to date; nothing is known of a new store. */
    public ChangelogPosition position(String store) {
        try {
            byte[] bytes = db.get(positions, store.getBytes(StandardCharsets.UTF_8));
            return bytes == null ? null : ChangelogPosition.read(ByteBuffer.wrap(bytes));
        } catch (RocksDBException e) {
            throw broken("read", e);
        }
    }

    /** What an overlay stands on. */
    public Overlay.Committed committed(String store) {
        ColumnFamilyHandle family = stores.get(store);
        return new Overlay.Committed() {
            @Override
            public byte[] get(byte[] key) {
                try {
                    return db.get(family, key);
                } catch (RocksDBException e) {
                    throw broken("read", e);
                }
            }

            @Override
            public List<byte[]> keys(byte[] from, byte[] to, int limit) {
                List<byte[]> keys = new ArrayList<>();
                try (RocksIterator iterator = db.newIterator(family)) {
                    iterator.seek(from);
                    while (iterator.isValid()
                            && keys.size() < limit
                            && Arrays.compareUnsigned(iterator.key(), to) < 0) {
                        keys.add(iterator.key());
                        iterator.next();
                    }
                }
                return keys;
            }
        };
    }

    /** Applies the changes of several stores and their new positions, all or nothing. */
    public void write(Map<String, List<Change>> changes, Map<String, ChangelogPosition> newPositions) {
        try (WriteBatch batch = new WriteBatch()) {
            for (Map.Entry<String, List<Change>> entry : changes.entrySet()) {
                ColumnFamilyHandle family = stores.get(entry.getKey());
                for (Change change : entry.getValue()) {
                    if (change.value() == null) {
                        batch.delete(family, change.key());
                    } else {
                        batch.put(family, change.key(), change.value());
                    }
                }
            }
            for (Map.Entry<String, ChangelogPosition> entry : newPositions.entrySet()) {
                batch.put(
                        positions,
                        entry.getKey().getBytes(StandardCharsets.UTF_8),
                        entry.getValue().bytes());
            }
            db.write(writeOptions, batch);
        } catch (RocksDBException e) {
            throw broken("write", e);
        }
    }

    /** Empties a store whose changelog is no longer the one it was made from. */
    public void forget(String store) {
        try (WriteBatch batch = new WriteBatch();
                RocksIterator iterator = db.newIterator(stores.get(store))) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                batch.delete(stores.get(store), iterator.key());
            }
            batch.delete(positions, store.getBytes(StandardCharsets.UTF_8));
            db.write(writeOptions, batch);
        } catch (RocksDBException e) {
            throw broken("empty", e);
        }
    }

    @Override
    public void close() {
        stores.values().forEach(ColumnFamilyHandle::close);
        positions.close();
        db.close();
        dbOptions.close();
        storeOptions.close();
        writeOptions.close();
    }

    private StateException broken(String action, RocksDBException e) {
        return new StateException("cannot %s the state in %s: %s".formatted(action, dir, e.getMessage()), e);
    }
}
