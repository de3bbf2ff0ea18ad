package io.millrace.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** What the figures were measured on. */
record Machine(String processor, int cores, double memoryGb, String system, String java) {
    private static final double KB_A_GB = 1 << 20;

    static Machine here() {
        return new Machine(
                firstValue("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                Long.parseLong(firstValue("/proc/meminfo", "MemTotal").replaceAll("\\D", "")) / KB_A_GB,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s, %d cores, %.0f GB, %s, %s", processor, cores, memoryGb, system, java);
    }

    private static String firstValue(String file, String key) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(key))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("0 (unknown)");
        } catch (IOException e) {
            return "0 (unknown)";
        }
    }
}
