package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest {
    /** Seeds that once found a fault, each another one. */
    private static final List<Long> REGRESSIONS =
            List.of(3L, 4L, 13L, 21L, 30L, 32L, 33L, 37L, 53L, 73L, 3086L, 6001L, 6011L, 7578L);

    private static LongStream seeds() {
        return LongStream.concat(REGRESSIONS.stream().mapToLong(Long::longValue), LongStream.rangeClosed(1_000, 1_024));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void what_was_promised_holds_whatever_goes_wrong(long seed) {
        assertThatCode(() -> new Simulation(seed, null).run()).doesNotThrowAnyException();
    }

    @Test
    void the_same_seed_gives_the_same_run_in_another_process() throws Exception {
        long seed = 5;

        assertThat(fingerprintOfAnotherProcess(seed)).isEqualTo(fingerprintOfAnotherProcess(seed));
    }

    private static String fingerprintOfAnotherProcess(long seed) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Fingerprint.class.getName(),
                        String.valueOf(seed))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(printed).isNotBlank();
        return printed;
    }

    /** Runs in a process of its own, where strings and sets are salted differently. */
    static final class Fingerprint {
        private Fingerprint() {}

        public static void main(String[] args) {
            System.out.println(new Simulation(Long.parseLong(args[0]), null).run());
        }
    }
}
