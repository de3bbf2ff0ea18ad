package io.millrace.benchmarks.side;

import io.millrace.benchmarks.measure.ProcessAccount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A broker that somebody else runs. */
public record AttachedSide(String label, String bootstrap, List<ProcessAccount> accounts) implements Side {
    /** @param text {@code LABEL=HOST:PORT}, or {@code LABEL=HOST:PORT@PID} if the process is on this machine */
    public static AttachedSide parse(String text) {
        String[] labelled = text.split("=", 2);
        if (labelled.length != 2) {
            throw new IllegalArgumentException(
                    "'%s' names no side; write LABEL=HOST:PORT or LABEL=HOST:PORT@PID".formatted(text));
        }
        String[] parts = labelled[1].split("@", 2);
        return new AttachedSide(
                labelled[0],
                parts[0],
                parts.length == 1 ? List.of() : List.of(new ProcessAccount(Long.parseLong(parts[1]))));
    }

    @Override
    public Optional<Path> data() {
        return Optional.empty();
    }
}
