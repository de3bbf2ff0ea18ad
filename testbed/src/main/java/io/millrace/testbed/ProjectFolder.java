package io.millrace.testbed;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the project lies, from whichever of its folders this process was started in. */
public final class ProjectFolder {
    private static final Path ROOT = find();

    private ProjectFolder() {}

    /** A file or folder of the project, such as {@code log-broker/target/millrace.jar}. */
    public static Path resolve(String path) {
        return ROOT.resolve(path);
    }

    private static Path find() {
        Path here = Path.of("").toAbsolutePath();
        for (Path folder = here; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("log-broker/pom.xml"))) {
                return folder;
            }
        }
        throw new IllegalStateException("%s is not inside the project; start it in one of its folders".formatted(here));
    }
}
