package io.millrace.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A command of the system that changes the system, and so must be run by root. */
final class RootCommand {
    private RootCommand() {}

    static boolean isAllowed() {
        return "root".equals(System.getProperty("user.name"));
    }

    static void run(String command) {
        List<String> words = List.of(command.split(" "));
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("'%s' failed: %s".formatted(command, output.strip()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
