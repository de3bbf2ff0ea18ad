package io.millrace.kernel;

import java.nio.file.Path;

/** A fault of the disk: what was tried on which file, and what the system said. */
public final class DiskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the owner can do about it. */
    public enum Kind {
        /** No space left: try again when there is some. */
        FULL,
        /** The file or folder is not there. */
        MISSING,
        /** Held by another process. */
        LOCKED,
        /** Anything else: the device or the file system failed. */
        BROKEN
    }

    private final Kind kind;

    public DiskException(Kind kind, String action, Path path, String cause) {
        super(action + " " + path + ": " + cause);
        this.kind = kind;
    }

    public DiskException(Kind kind, String action, Path path, Throwable cause) {
        super(action + " " + path + ": " + cause.getMessage(), cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
