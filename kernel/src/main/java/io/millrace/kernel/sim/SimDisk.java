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
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A disk in memory. {@link #crash} is a power cut: bytes that were not forced and folder entries whose folder was not
 * forced are gone, and files written after it through old handles change nothing that a new owner sees. Only folders
 * directly below the root are there for good at once, as if somebody had made them before.
 */
public final class SimDisk implements Disk {
    private NavigableMap<Path, SimFile> files = new TreeMap<>();
    private NavigableMap<Path, SimFile> durableFiles = new TreeMap<>();
    private Set<Path> folders = new TreeSet<>();
    private final Set<Path> durableFolders = new TreeSet<>();
    private final Set<Path> locks = new HashSet<>();
    private long capacityBytes = Long.MAX_VALUE;
    private boolean broken;
    private boolean cold;
    private int powerCuts;

    /** A power cut, seen from the next start. */
    public void crash() {
        crash(SimFile::forcedCopy);
    }

    /**
     * The same on a disk that had begun to write what it was not told to force: of a file's unforced tail a part may be
     * there, and the end of that part may be damaged.
     */
    public void crash(SplittableRandom chance) {
        crash((file, path) -> file.tornCopy(path, chance));
    }

    private void crash(BiFunction<SimFile, Path, SimFile> survivor) {
        powerCuts++;
        files.values().forEach(SimFile::detach);
        folders = new TreeSet<>(durableFolders);
        durableFiles.keySet().removeIf(path -> !folders.contains(path.getParent()));
        NavigableMap<Path, SimFile> survivors = new TreeMap<>();
        durableFiles.forEach((path, file) -> survivors.put(path, survivor.apply(file, path)));
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

    /** No file is in memory from now on, or all are again. */
    public void cold(boolean on) {
        cold = on;
    }

    boolean isCold() {
        return cold;
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

    /** How many files are held open, each as often as it is held: what a real process would pay for in descriptors. */
    public int openFiles() {
        return files.values().stream().mapToInt(SimFile::holders).sum();
    }

    void checkWorks(String action, Path path, long growthBytes) {
        if (broken) {
            throw new DiskException(Kind.BROKEN, action, path, "simulated fault");
        }
        if (growthBytes > 0 && capacityBytes < Long.MAX_VALUE && usedBytes() + growthBytes > capacityBytes) {
            throw new DiskException(Kind.FULL, action, path, "No space left on device");
        }
    }

    /** How many bytes its files hold. */
    public long usedBytes() {
        return files.values().stream().mapToLong(SimFile::size).sum();
    }

    @Override
    public DiskFile open(Path path) {
        checkWorks("open", path, 0);
        checkFolder("open", path);
        return files.computeIfAbsent(path, created -> new SimFile(this, created))
                .opened();
    }

    private void checkFolder(String action, Path path) {
        if (!folders.contains(path.getParent())) {
            throw new DiskException(Kind.MISSING, action, path, "no such folder");
        }
    }

    @Override
    public boolean exists(Path path) {
        return files.containsKey(path) || folders.contains(path);
    }

    private static boolean isBelow(Path folder, Path path) {
        return path.startsWith(folder) && !path.equals(folder);
    }

    @Override
    public List<Path> list(Path folder) {
        checkWorks("list", folder, 0);
        Set<Path> entries = new TreeSet<>();
        int depth = folder.getNameCount();
        for (Set<Path> paths : List.of(files.keySet(), folders)) {
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
        for (Path made = folder; made.getNameCount() > 0; made = made.getParent()) {
            folders.add(made);
            if (made.getNameCount() == 1) {
                durableFolders.add(made);
            }
        }
    }

    @Override
    public void rename(Path from, Path to) {
        checkWorks("rename", from, 0);
        if (files.containsKey(from)) {
            files.put(to, files.remove(from));
        } else if (folders.contains(from)) {
            moveBelow(from, to);
        } else {
            throw new DiskException(Kind.MISSING, "rename", from, "no such file");
        }
        forceBelow(from);
        forceBelow(to);
    }

    private void moveBelow(Path from, Path to) {
        UnaryOperator<Path> moved = path -> path.startsWith(from) ? to.resolve(from.relativize(path)) : path;
        for (Path path : List.copyOf(files.keySet())) {
            files.put(moved.apply(path), files.remove(path));
        }
        folders = folders.stream().map(moved).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void delete(Path path) {
        checkWorks("delete", path, 0);
        files.keySet().removeIf(file -> file.startsWith(path));
        folders.removeIf(folder -> folder.startsWith(path));
    }

    @Override
    public void forceFolder(Path folder) {
        checkWorks("force folder", folder, 0);
        forceWhere(path -> folder.equals(path.getParent()));
    }

    private void forceBelow(Path root) {
        forceWhere(path -> path.startsWith(root));
    }

    private void forceWhere(Predicate<Path> forced) {
        durableFiles.keySet().removeIf(path -> forced.test(path) && !files.containsKey(path));
        files.forEach((path, file) -> {
            if (forced.test(path)) {
                durableFiles.put(path, file);
            }
        });
        durableFolders.removeIf(path -> forced.test(path) && !folders.contains(path));
        folders.stream().filter(forced).forEach(durableFolders::add);
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
        checkFolder("replace", file);
        SimFile replaced = new SimFile(this, file);
        replaced.write(0, ByteBuffer.wrap(content));
        replaced.force();
        files.put(file, replaced);
        durableFiles.put(file, replaced);
    }

    @Override
    public String uptimeName() {
        return "after " + powerCuts + " power cuts";
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
