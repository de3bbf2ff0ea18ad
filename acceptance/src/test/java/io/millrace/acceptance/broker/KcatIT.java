package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceServer;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** librdkafka, through kcat, where the machine has it. */
class KcatIT {

    @Test
    void kcat_lists_produces_and_consumes() throws Exception {
        assumeTrue(isInstalled(), "kcat is not installed on this machine, so it is not tested; apt-get install kcat");
        try (MillraceServer server = MillraceServer.start(Folders.create("kcat"))) {
            List<String> lines =
                    IntStream.range(0, 100).mapToObj(i -> "line " + i).toList();
            String input = lines.stream().collect(Collectors.joining("\n", "", "\n"));

            kcat(server, input, "-P", "-t", "cats", "-X", "enable.idempotence=true", "-z", "lz4");

            assertThat(kcat(server, "", "-L")).contains("topic \"cats\" with 1 partitions");
            assertThat(kcat(server, "", "-C", "-t", "cats", "-o", "beginning", "-e", "-q")
                            .lines())
                    .containsExactlyElementsOf(lines);
        }
    }

    private static boolean isInstalled() {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(System.getenv("PATH"))
                .anyMatch(folder -> new File(folder, "kcat").canExecute());
    }

    private static String kcat(MillraceServer server, String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("kcat", "-b", server.bootstrap()));
        command.addAll(List.of(arguments));
        return KafkaTool.run(command, input);
    }
}
