package io.millrace.broker.log;

/**
 * Which bytes of a segment's file are known to be what was written: all that this process wrote, and what was read
 * through since. Any thread may ask; one that sees an older state reads through once more.
 */
final class Soundness {
    private volatile int unknownTo;
    private volatile int knownTo;

    private Soundness(int unknownTo) {
        this.unknownTo = unknownTo;
    }

    static Soundness ofNewFile() {
        return new Soundness(0);
    }

    /** Of a file that an earlier process wrote, of whatever size. */
    static Soundness ofExistingFile() {
        return new Soundness(Integer.MAX_VALUE);
    }

    boolean covers(int from, int to) {
        return to <= knownTo || from >= unknownTo;
    }

    /** This process writes from here on. */
    void written(int from) {
        if (from < unknownTo) {
            unknownTo = from;
        }
    }

    synchronized void checked(int from, int to) {
        if (from <= knownTo) {
            knownTo = Math.max(knownTo, to);
        }
    }
}
