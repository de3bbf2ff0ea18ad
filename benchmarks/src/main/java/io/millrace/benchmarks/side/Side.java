package io.millrace.benchmarks.side;

import io.millrace.benchmarks.measure.ProcessAccount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One of the brokers, or clusters, that are compared, running. */
public interface Side {
    String label();

    String bootstrap();

    /** One for each of its brokers; empty when their processes are not ours to look at. */
    List<ProcessAccount> accounts();

    /** Where its partitions lie, as folders {@code topic-partition}; empty for a broker on another machine. */
    Optional<Path> data();
}
