package io.millrace.kernel;

import java.nio.file.Path;
import java.util.List;

/** Files and folders. Every fault is a {@link DiskException}, to be handled by the owner of the file. */
public interface Disk {

    /** Opens for reading and writing, creating an empty file where there is none. */
    DiskFile open(Path path);

    boolean exists(Path path);

    /** The entries of a folder sorted by name; empty where the folder does not exist. */
    List<Path> list(Path folder);

    void createFolders(Path folder);

    /** Moves a file or folder in one step, replacing a file in the way, and forces the folder entry. */
    void rename(Path from, Path to);

    /** Deletes a file, or a folder with all that is in it; nothing happens where it does not exist. */
    void delete(Path path);

    /** Makes creations, renames and deletions inside a folder survive a power cut. */
    void forceFolder(Path folder);

    byte[] readFully(Path file);

    /** Replaces a small file so that a crash leaves the old content or the new one, never a mixture. */
    void replace(Path file, byte[] content);

    /**
     * Names the time since the system's last start. What a process wrote, forced or not, is still there for a later one
     * that finds the same name; after a power cut the name is another one.
     */
    String uptimeName();

    /**
     * Takes a lock on a file that ends with the process.
     *
     * @throws DiskException when another process (or this one) holds it
     */
    AutoCloseable lock(Path file);
}
