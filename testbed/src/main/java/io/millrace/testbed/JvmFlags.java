package io.millrace.testbed;

import java.util.ArrayList;
import java.util.List;

/** How a child JVM is run. */
public record JvmFlags(List<String> flags) {
    /** Small and quick to start, so that many fit beside each other: for tests. */
    public static final JvmFlags SMALL = of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    public JvmFlags and(String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return new JvmFlags(all);
    }

    public static JvmFlags of(String... flags) {
        return new JvmFlags(List.of(flags));
    }
}
