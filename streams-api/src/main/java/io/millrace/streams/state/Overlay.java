package io.millrace.streams.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A store's uncommitted interval on top of what is committed. Two undos: of the record in hand, when it fails, and of
 * the whole interval, when its transaction is aborted.
 */
public final class Overlay implements StateStore {
    /** What stands below: the committed values. */
    public interface Committed {
        byte[] get(byte[] key);

        List<byte[]> keys(byte[] from, byte[] to, int limit);
    }

    /** Present in {@link #changes} for a key that the interval removed; compared by identity. */
    private static final byte[] REMOVED = new byte[0];

    private final Committed committed;
    private final TreeMap<byte[], byte[]> changes = new TreeMap<>(Arrays::compareUnsigned);
    /** What the record in hand changed, with what stood there before; null if nothing did. */
    private final Deque<Change> undos = new ArrayDeque<>();

    public Overlay(Committed committed) {
        this.committed = committed;
    }

    @Override
    public byte[] get(byte[] key) {
        byte[] changed = changes.get(key);
        if (changed != null) {
            return changed == REMOVED ? null : changed;
        }
        return committed.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        undos.push(new Change(key, changes.put(key, value)));
    }

    @Override
    public void remove(byte[] key) {
        undos.push(new Change(key, changes.put(key, REMOVED)));
    }

    @Override
    public List<byte[]> keys(byte[] from, byte[] to, int limit) {
        // each removed key may hide one committed key, so that many more are looked at
        int removed = (int) changes.subMap(from, to).values().stream()
                .filter(v -> v == REMOVED)
                .count();
        TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        keys.addAll(committed.keys(from, to, limit + removed));
        changes.subMap(from, to).forEach((key, value) -> {
            if (value == REMOVED) {
                keys.remove(key);
            } else {
                keys.add(key);
            }
        });
        return keys.stream().limit(limit).toList();
    }

    /** Changes from here on belong to the next record. */
    public void beginRecord() {
        undos.clear();
    }

    public void undoRecord() {
        while (!undos.isEmpty()) {
            Change undo = undos.pop();
            if (undo.value() == null) {
                changes.remove(undo.key());
            } else {
                changes.put(undo.key(), undo.value());
            }
        }
    }

    /** The interval's changes, one for each key, in key order. */
    public List<Change> changes() {
        List<Change> list = new ArrayList<>(changes.size());
        changes.forEach((key, value) -> list.add(new Change(key, value == REMOVED ? null : value)));
        return list;
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Forgets the interval: it has been written below, or its transaction has been aborted. */
    public void clear() {
        changes.clear();
        undos.clear();
    }
}
