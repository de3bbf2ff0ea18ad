package io.millrace.benchmarks.side;

import io.millrace.benchmarks.measure.ProcessAccount;
import java.nio.file.Path;
import java.util.Optional;

/** One of the brokers that are compared, running. */
public interface Side {
    String label();

    String bootstrap();

    /** Empty for a broker whose process is not ours to look at. */
    Optional<ProcessAccount> account();

    /** Where its partitions lie, as folders {@code topic-partition}; empty for a broker on another machine. */
    Optional<Path> data();
}
