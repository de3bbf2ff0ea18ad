package io.millrace.broker.server;

import java.util.HashMap;
import java.util.Map;

/** What is remembered for a connection: what its client said of itself (KIP-511), and what a handler keeps for it. */
public final class ConnectionMemory {
    private String softwareName = "unknown";
    private String softwareVersion = "unknown";
    private boolean congested;
    private volatile boolean ending;
    private final Map<Class<?>, AutoCloseable> kept = new HashMap<>();
    private boolean closed;

    public void software(String name, String version) {
        softwareName = name;
        softwareVersion = version;
    }

    public String software() {
        return softwareName + " " + softwareVersion;
    }

    /** What is kept under a type; null for nothing. */
    public <T extends AutoCloseable> T kept(Class<T> type) {
        return type.cast(kept.get(type));
    }

    /** Keeps a thing until the connection closes, and lets go of the one before; null for nothing. */
    public <T extends AutoCloseable> void keep(Class<T> type, T thing) {
        letGo(kept.remove(type));
        if (closed) {
            letGo(thing);
        } else if (thing != null) {
            kept.put(type, thing);
        }
    }

    void closed() {
        closed = true;
        kept.values().forEach(ConnectionMemory::letGo);
        kept.clear();
    }

    private static void letGo(AutoCloseable thing) {
        if (thing != null) {
            try {
                thing.close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot let go of " + thing, e);
            }
        }
    }

    /**
     * Has the connection closed when all that was asked on it is answered, so that the client asks another broker next:
     * this one says what it knows, but others may know better. Any thread.
     */
    public void end() {
        ending = true;
    }

    /** Whether {@link #end} was called; any thread. */
    public boolean isEnding() {
        return ending;
    }

    /** A handler found a queue over its capacity: the connection is not read until its answers have left. */
    public void congested() {
        congested = true;
    }

    boolean takeCongested() {
        boolean was = congested;
        congested = false;
        return was;
    }
}
