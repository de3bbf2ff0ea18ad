package io.millrace.kernel;

import java.nio.ByteBuffer;

/**
 * An open file. Written by its one owner; read by anyone who holds a reference.
 *
 * <p>References are counted because a response may still be sending from a file that its owner has given up: the file
 * is closed when the last holder has released it.
 */
public interface DiskFile {

    long size();

    /** Writes all remaining bytes at a position; the file grows as needed. */
    void write(long position, ByteBuffer bytes);

    /** Reads until the buffer is full or the file ends; returns the number of bytes read. */
    int read(long position, ByteBuffer into);

    /** Whether reading a range would not wait for the disk, as far as is known. */
    boolean isInMemory(long position, int sizeBytes);

    void truncate(long sizeBytes);

    /** Returns when the content written so far survives a power cut. */
    void force();

    /** Adds a holder. @return false when the file is closed already */
    boolean retain();

    /** Removes a holder; the opener is the first one. */
    void release();
}
