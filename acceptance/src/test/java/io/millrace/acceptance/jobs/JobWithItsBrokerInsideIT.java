package io.millrace.acceptance.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestTopics;
import io.millrace.testbed.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class JobWithItsBrokerInsideIT {
    private static final Pattern BROKER = Pattern.compile("broker at (\\S+:\\d+)");

    @Test
    void goes_on_counting_after_a_signal_and_a_new_start() {
        Path dir = Folders.create("word-count-embedded");

        countUntil(dir, "first", "a b a", Map.of("a", 2L, "b", 1L));
        countUntil(dir, "second", "b c", Map.of("a", 2L, "b", 2L, "c", 1L));
    }

    private static void countUntil(Path dir, String run, String line, Map<String, Long> expected) {
        Path outputs = Folders.create("word-count-" + run);
        try (ChildProcess job = FatJar.start("word-count", outputs, "--embedded", dir.toString());
                TestTopics topics = new TestTopics(bootstrap(job))) {
            topics.send(FatJar.LINES, null, line);
            topics.flush();

            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> topics.latest(FatJar.COUNTS).equals(expected));

            job.terminate();
            assertThat(job.awaitExit(Duration.ofSeconds(15))).as(job::output).isTrue();
        }
    }

    private static String bootstrap(ChildProcess job) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> BROKER.matcher(job.output()).find() || !job.isAlive());
        Matcher found = BROKER.matcher(job.output());
        assertThat(found.find()).as(job::output).isTrue();
        return found.group(1);
    }
}
