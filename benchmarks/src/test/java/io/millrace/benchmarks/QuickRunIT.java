package io.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testbed.ChildProcess;
import io.millrace.testbed.JvmFlags;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every workload runs and prints; what it prints means nothing at this size. */
class QuickRunIT {
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    @TempDir
    Path dir;

    @Test
    void everyWorkloadRunsAndHasFiguresOfBothSides() throws Exception {
        ChildProcess run = ChildProcess.ofOwnClass(
                JvmFlags.of("-Xmx1g"),
                BenchmarkCommand.class,
                dir.resolve("output"),
                "--quick",
                "--out",
                dir.resolve("run").toString());
        assertThat(run.awaitExit(PATIENCE)).as(run.output()).isTrue();
        assertThat(run.exitCode()).as(run.output()).isZero();
        String report = Files.readString(dir.resolve("run/results.md"));
        assertThat(report)
                .contains("## start", "## produce", "## forced", "## latency", "## transactions")
                .contains("## cold-reader", "## jobs", "## sink", "## partitions", "## replicated")
                .contains("| case | figure | millrace | apache-kafka | ratio |")
                .contains("kafka-streams", "plain JDBC")
                .doesNotContain("Not measured.");
        assertThat(Files.readString(dir.resolve("run/results.json"))).contains("\"median\"", "\"targets\"");
    }

    @Test
    void anUnknownWorkloadIsNamedBesideThoseThereAre() throws Exception {
        ChildProcess run = ChildProcess.ofOwnClass(BenchmarkCommand.class, dir.resolve("output"), "--only", "speed");
        assertThat(run.awaitExit(PATIENCE)).isTrue();
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.output()).contains("no workload has the name speed; there are start, produce, forced");
    }
}
