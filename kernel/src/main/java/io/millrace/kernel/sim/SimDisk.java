package io.millrace.kernel.sim;

import io.millrace.kernel.Disk;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.DiskException.Kind;
import io.millrace.kernel.DiskFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * A disk in memory. {@link #crash} is a power cut: bytes that were not forced and folder entries whose folder was not
 * forced are gone, and files written after it through old handles change nothing that a new owner sees.
 */
public final class SimDisk implements Disk {
    private NavigableMap<Path, SimFile> files = new TreeMap<>();
    private NavigableMap<Path, SimFile> durableFiles = new TreeMap<>();
    private final NavigableMap<Path, Boolean> folders = new TreeMap<>();
    private final Set<Path> locks = new HashSet<>();
    private long capacityBytes = Long.MAX_VALUE;
    private boolean broken;

    /** A power cut, seen from the next start. */
    public void crash() {
        files.values().forEach(SimFile::detach);
        NavigableMap<Path, SimFile> survivors = new TreeMap<>();
        durableFiles.forEach((path, file) -> survivors.put(path, file.forcedCopy(path)));
        files = survivors;
        durableFiles = new TreeMap<>(survivors);
        locks.clear();
    }

    /** Death of the process alone: what was written is there, forced or not. */
    public void killOwner() {
        NavigableMap<Path, SimFile> survivors = new TreeMap<>();
        files.forEach((path, file) -> survivors.put(path, file.copy(path)));
        files.values().forEach(SimFile::detach);
        files = survivors;
        durableFiles.replaceAll((path, file) -> survivors.getOrDefault(path, file));
        locks.clear();
    }

    /** The disk is full once it holds this many bytes. */
    public void capacity(long bytes) {
        capacityBytes = bytes;
    }

    /** Every operation fails from now on, or works again. */
    public void broken(boolean on) {
        broken = on;
    }

    /** Changes a file's content behind its owner's back, as a bad sector or a torn write would. */
    public void damage(Path path, UnaryOperator<byte[]> change) {
        SimFile file = existing("damage", path);
        file.overwrite(change.apply(file.content()));
    }

    void checkWorks(String action, Path path, long growthBytes) {
        if (broken) {
            throw new DiskException(Kind.BROKEN, action, path, "simulated fault");
        }
        if (growthBytes > 0 && usedBytes() + growthBytes > capacityBytes) {
            throw new DiskException(Kind.FULL, action, path, "No space left on device");
        }
    }

    private long usedBytes() {
        return files.values().stream().mapToLong(SimFile::size).sum();
    }

    @Override
    public DiskFile open(Path path) {
        checkWorks("open", path, 0);
        return files.computeIfAbsent(path, created -> new SimFile(this, created))
                .opened();
    }

    @Override
    public boolean exists(Path path) {
        return files.containsKey(path) || isFolder(path);
    }

    private boolean isFolder(Path path) {
        return folders.containsKey(path) || files.keySet().stream().anyMatch(file -> isBelow(path, file));
    }

    private static boolean isBelow(Path folder, Path path) {
        return path.startsWith(folder) && !path.equals(folder);
    }

    @Override
    public List<Path> list(Path folder) {
        checkWorks("list", folder, 0);
        Set<Path> entries = new TreeSet<>();
        int depth = folder.getNameCount();
        for (Set<Path> paths : List.of(files.keySet(), folders.keySet())) {
            for (Path path : paths) {
                if (isBelow(folder, path)) {
                    entries.add(folder.resolve(path.getName(depth)));
                }
            }
        }
        return List.copyOf(entries);
    }

    @Override
    public void createFolders(Path folder) {
        checkWorks("create folder", folder, 0);
        folders.put(folder, true);
    }

    @Override
    public void rename(Path from, Path to) {
        checkWorks("rename", from, 0);
        if (files.containsKey(from)) {
            files.put(to, files.remove(from));
        } else if (isFolder(from)) {
            moveBelow(files, from, to);
            moveBelow(folders, from, to);
            folders.remove(from);
            folders.put(to, true);
        } else {
            throw new DiskException(Kind.MISSING, "rename", from, "no such file");
        }
        forceBelow(from);
        forceBelow(to);
    }

    private static <T> void moveBelow(NavigableMap<Path, T> map, Path from, Path to) {
        List<Path> moved =
                map.keySet().stream().filter(path -> isBelow(from, path)).toList();
        moved.forEach(path -> map.put(to.resolve(from.relativize(path)), map.remove(path)));
    }

    @Override
    public void delete(Path path) {
        checkWorks("delete", path, 0);
        files.keySet().removeIf(file -> file.startsWith(path));
        folders.keySet().removeIf(folder -> folder.startsWith(path));
    }

    @Override
    public void forceFolder(Path folder) {
        checkWorks("force folder", folder, 0);
        durableFiles.keySet().removeIf(path -> folder.equals(path.getParent()) && !files.containsKey(path));
        files.forEach((path, file) -> {
            if (folder.equals(path.getParent())) {
                durableFiles.put(path, file);
            }
        });
    }

    private void forceBelow(Path root) {
        durableFiles.keySet().removeIf(path -> path.startsWith(root) && !files.containsKey(path));
        files.forEach((path, file) -> {
            if (path.startsWith(root)) {
                durableFiles.put(path, file);
            }
        });
    }

    @Override
    public byte[] readFully(Path file) {
        return existing("read", file).content();
    }

    private SimFile existing(String action, Path path) {
        checkWorks(action, path, 0);
        SimFile file = files.get(path);
        if (file == null) {
            throw new DiskException(Kind.MISSING, action, path, "no such file");
        }
        return file;
    }

    @Override
    public void replace(Path file, byte[] content) {
        checkWorks("replace", file, content.length);
        SimFile replaced = new SimFile(this, file);
        replaced.write(0, ByteBuffer.wrap(content));
        replaced.force();
        files.put(file, replaced);
        durableFiles.put(file, replaced);
    }

    @Override
    public AutoCloseable lock(Path file) {
        checkWorks("lock", file, 0);
        if (!locks.add(file)) {
            throw new DiskException(Kind.LOCKED, "lock", file, "another process holds it");
        }
        return () -> locks.remove(file);
    }
}
