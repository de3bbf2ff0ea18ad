package io.millrace.streams.operator;

import io.millrace.streams.Format;
import io.millrace.streams.state.StateStore;
import java.nio.ByteBuffer;

/**
 * How operators lay out their state, and with it the changelog. The first byte tells apart what else shares a store:
 * 0 stream time, 1 an entry. A window's key begins with its end (big-endian, so that it sorts), then its start, then
 * the user's key: windows that close together lie together.
 */
final class StateKeys {
    static final byte[] STREAM_TIME = {0};

    private static final byte ENTRY = 1;
    private static final int WINDOW_BYTES = 1 + 2 * Long.BYTES;

    private StateKeys() {}

    static <K> byte[] entry(Format<K> format, K key, String state) {
        byte[] bytes = present(format, key, state);
        return ByteBuffer.allocate(1 + bytes.length).put(ENTRY).put(bytes).array();
    }

    static <K> byte[] windowEntry(Format<K> format, K key, long startMs, long endMs, String state) {
        byte[] bytes = present(format, key, state);
        return ByteBuffer.allocate(WINDOW_BYTES + bytes.length)
                .put(ENTRY)
                .putLong(endMs)
                .putLong(startMs)
                .put(bytes)
                .array();
    }

    /** The lowest key that a window ending at this time can have. */
    static byte[] windowsFrom(long endMs) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(ENTRY).putLong(endMs).array();
    }

    static long streamTimeMs(StateStore state) {
        byte[] bytes = state.get(STREAM_TIME);
        return bytes == null ? -1 : ByteBuffer.wrap(bytes).getLong();
    }

    static byte[] timeBytes(long timeMs) {
        return ByteBuffer.allocate(Long.BYTES).putLong(timeMs).array();
    }

    private static <K> byte[] present(Format<K> format, K key, String state) {
        byte[] bytes = format.writeNullable(state, key);
        if (bytes == null) {
            throw new IllegalArgumentException(
                    "state %s needs a key, found none; give every record a key with keyBy before the through"
                            .formatted(state));
        }
        return bytes;
    }
}
