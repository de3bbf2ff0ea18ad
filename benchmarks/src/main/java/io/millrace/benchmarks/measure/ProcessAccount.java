package io.millrace.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What the kernel says about a process ({@code /proc}, Linux). */
public record ProcessAccount(long pid) {
    private static final double TICKS_A_SECOND = 100;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int USER_TICKS_OF_CHILDREN = 13;
    private static final int SYSTEM_TICKS_OF_CHILDREN = 14;

    public static ProcessAccount self() {
        return new ProcessAccount(ProcessHandle.current().pid());
    }

    /** User and system time of all its threads so far, in seconds; the step is 10 ms. */
    public double cpuSeconds() {
        String[] stat = stat(pid);
        return (ticks(stat, USER_TICKS) + ticks(stat, SYSTEM_TICKS)) / TICKS_A_SECOND;
    }

    /** Likewise, with its children, also those that have ended: for servers that fork. */
    public double cpuSecondsWithChildren() {
        String[] stat = stat(pid);
        long ticks = ticks(stat, USER_TICKS)
                + ticks(stat, SYSTEM_TICKS)
                + ticks(stat, USER_TICKS_OF_CHILDREN)
                + ticks(stat, SYSTEM_TICKS_OF_CHILDREN);
        return ticks / TICKS_A_SECOND
                + ProcessHandle.of(pid).stream()
                        .flatMap(ProcessHandle::children)
                        .mapToDouble(child -> cpuSecondsOrZero(child.pid()))
                        .sum();
    }

    public double residentMb() {
        try (Stream<String> lines = Files.lines(file("status"))) {
            String line = lines.filter(text -> text.startsWith("VmRSS:"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("process %d has ended".formatted(pid)));
            return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
        } catch (IOException e) {
            throw gone(e);
        }
    }

    public long descriptors() {
        return count(file("fd"));
    }

    public long memoryMaps() {
        try (Stream<String> lines = Files.lines(file("maps"))) {
            return lines.count();
        } catch (IOException e) {
            throw gone(e);
        }
    }

    private long count(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.count();
        } catch (IOException e) {
            throw gone(e);
        }
    }

    private Path file(String name) {
        return Path.of("/proc", String.valueOf(pid), name);
    }

    private String[] stat(long of) {
        try {
            return readStat(of);
        } catch (IOException e) {
            throw gone(e);
        }
    }

    private double cpuSecondsOrZero(long child) {
        try {
            String[] stat = readStat(child);
            return (ticks(stat, USER_TICKS) + ticks(stat, SYSTEM_TICKS)) / TICKS_A_SECOND;
        } catch (IOException e) {
            return 0; // ended in between; its parent has its ticks now
        }
    }

    /** Fields from the state on; the name before it may hold spaces and parentheses. */
    private static String[] readStat(long of) throws IOException {
        String line = Files.readString(Path.of("/proc", String.valueOf(of), "stat"));
        return line.substring(line.lastIndexOf(')') + 2).split(" ");
    }

    private static long ticks(String[] stat, int field) {
        return Long.parseLong(stat[field]);
    }

    private IllegalStateException gone(IOException e) {
        return new IllegalStateException("process %d cannot be read in /proc; has it ended?".formatted(pid), e);
    }
}
