package io.millrace.acceptance.jobs;

import static io.millrace.streams.Formats.int64;
import static io.millrace.streams.Formats.none;
import static io.millrace.streams.Formats.text;

import io.millrace.streams.Topic;
import io.millrace.testbed.ChildProcess;
import io.millrace.testbed.ProjectFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The examples as users have them: one JAR each, started with {@code java -jar}. */
final class FatJar {
    /** The topics of word-count. */
    static final Topic<Void, String> LINES = Topic.of("lines", none(), text());

    static final Topic<String, Long> COUNTS = Topic.of("counts", text(), int64());

    private FatJar() {}

    /** Prints to a file {@code output} in this folder. */
    static ChildProcess start(String name, Path dir, String... arguments) {
        Path jar = ProjectFolder.resolve("examples/target/" + name + ".jar");
        List<String> command = new ArrayList<>(List.of("-jar", jar.toString()));
        command.addAll(List.of(arguments));
        return ChildProcess.java(command, dir.resolve("output"));
    }
}
