package io.millrace.acceptance.broker;

import io.millrace.testbed.ApacheKafka;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a command line tool to its end and returns what it printed. */
final class KafkaTool {
    private static final int PATIENCE_S = 120;

    private KafkaTool() {}

    /** One of Apache Kafka's own tools, by its main class. */
    static String run(String mainClass, String... arguments) throws Exception {
        return runWithInput("", mainClass, arguments);
    }

    static String runWithInput(String input, String mainClass, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(ApacheKafka.tool(mainClass));
        command.addAll(List.of(arguments));
        return run(command, input);
    }

    static String run(List<String> command, String input) throws IOException, InterruptedException {
        Path output = Files.createTempFile("tool", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end: " + Files.readString(output));
            }
            String printed = Files.readString(output);
            if (process.exitValue() != 0) {
                throw new AssertionError(command + " failed: " + printed);
            }
            return printed;
        } finally {
            Files.delete(output);
        }
    }
}
