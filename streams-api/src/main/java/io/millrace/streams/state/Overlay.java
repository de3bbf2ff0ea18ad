package io.millrace.streams.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A store's uncommitted interval on top of what is committed. Two undos: of the record in hand, when it fails, and of
 * the whole interval, when its transaction is aborted.
 *
 * <p>What an interval has read or written is remembered during the next one, which mostly asks for the same keys. So the
 * memory taken depends on how much passes in an interval, not on how large the state is.
 */
public final class Overlay implements StateStore {
    /** What stands below: the committed values. */
    public interface Committed {
        byte[] get(byte[] key);

        List<byte[]> keys(byte[] from, byte[] to, int limit);
    }

    private static final class Cell {
        final ByteKey key;
        /** Null if there is none. */
        byte[] value;
        /** The value is of this interval, not yet committed. */
        boolean changed;

        Cell(ByteKey key, byte[] value) {
            this.key = key;
            this.value = value;
        }
    }

    /** What stood in a cell before the record in hand changed it. */
    private record Undo(Cell cell, byte[] value, boolean changed) {}

    private final Committed committed;
    private Map<ByteKey, Cell> interval = new HashMap<>();
    /** From the last interval, what this one has not asked for. */
    private Map<ByteKey, Cell> remembered = new HashMap<>();
    /** The changed cells, in the order of their first change. */
    private final List<Cell> changes = new ArrayList<>();

    /** The key last asked for, and its cell: who reads a value mostly writes it next. */
    private byte[] lastKey;

    private Cell lastCell;

    private final Deque<Undo> undos = new ArrayDeque<>();

    public Overlay(Committed committed) {
        this.committed = committed;
    }

    @Override
    public byte[] get(byte[] key) {
        return cell(key).value;
    }

    @Override
    public void put(byte[] key, byte[] value) {
        change(cell(key), value);
    }

    @Override
    public void remove(byte[] key) {
        change(cell(key), null);
    }

    @SuppressWarnings("ReferenceEquality") // the same array is the same key; another one is looked up
    private Cell cell(byte[] bytes) {
        if (bytes != lastKey) {
            lastCell = lookUp(bytes);
            lastKey = bytes;
        }
        return lastCell;
    }

    private Cell lookUp(byte[] bytes) {
        ByteKey key = new ByteKey(bytes);
        Cell cell = interval.get(key);
        if (cell == null) {
            cell = remembered.remove(key);
            if (cell == null) {
                cell = new Cell(key, committed.get(bytes));
            }
            interval.put(cell.key, cell);
        }
        return cell;
    }

    private void change(Cell cell, byte[] value) {
        undos.push(new Undo(cell, cell.value, cell.changed));
        cell.value = value;
        if (!cell.changed) {
            cell.changed = true;
            changes.add(cell);
        }
    }

    @Override
    public List<byte[]> keys(byte[] from, byte[] to, int limit) {
        List<Cell> inRange =
                changes.stream().filter(cell -> cell.key.isWithin(from, to)).toList();
        // each removed key may hide one committed key, so that many more are looked at
        int removed = (int) inRange.stream().filter(cell -> cell.value == null).count();
        TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        keys.addAll(committed.keys(from, to, limit + removed));
        for (Cell cell : inRange) {
            if (cell.value == null) {
                keys.remove(cell.key.bytes());
            } else {
                keys.add(cell.key.bytes());
            }
        }
        return keys.stream().limit(limit).toList();
    }

    /** Changes from here on belong to the next record. */
    public void beginRecord() {
        undos.clear();
    }

    public void undoRecord() {
        while (!undos.isEmpty()) {
            Undo undo = undos.pop();
            undo.cell().value = undo.value();
            undo.cell().changed = undo.changed();
            if (!undo.changed()) {
                changes.remove(changes.size() - 1); // undone backwards, so it is the last that became a change
            }
        }
    }

    /** The interval's changes, one for each key. */
    public List<Change> changes() {
        return changes.stream()
                .map(cell -> new Change(cell.key.bytes(), cell.value))
                .toList();
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** The interval has been written below: its values are the committed ones now. */
    public void committed() {
        changes.forEach(cell -> cell.changed = false);
        forgetInHand();
        remembered = interval;
        interval = new HashMap<>(2 * remembered.size()); // about as many again, without growing to it
    }

    /** Forgets all: the interval's transaction has been aborted. */
    public void clear() {
        forgetInHand();
        interval.clear();
        remembered.clear();
    }

    private void forgetInHand() {
        changes.clear();
        undos.clear();
        lastKey = null;
        lastCell = null;
    }
}
