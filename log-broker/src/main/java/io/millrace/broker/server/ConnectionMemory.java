package io.millrace.broker.server;

/** What is remembered for a connection: what its client said of itself (KIP-511), and what a handler keeps for it. */
public final class ConnectionMemory {
    private String softwareName = "unknown";
    private String softwareVersion = "unknown";
    private boolean congested;
    private AutoCloseable kept;
    private boolean closed;

    public void software(String name, String version) {
        softwareName = name;
        softwareVersion = version;
    }

    public String software() {
        return softwareName + " " + softwareVersion;
    }

    /** What was kept last, if it is of this type; else null. */
    public <T extends AutoCloseable> T kept(Class<T> type) {
        return type.isInstance(kept) ? type.cast(kept) : null;
    }

    /** Keeps one thing until the connection closes, and lets go of the one before; null for nothing. */
    public void keep(AutoCloseable thing) {
        letGo();
        kept = thing;
        if (closed) {
            letGo();
        }
    }

    void closed() {
        closed = true;
        letGo();
    }

    private void letGo() {
        if (kept != null) {
            try {
                kept.close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot let go of " + kept, e);
            }
        }
        kept = null;
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
