package io.millrace.broker.quorum;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A test with one quorum, which is closed after it. */
abstract class QuorumTest {
    @TempDir
    Path folder;

    QuorumCluster cluster;

    void cluster(int voters, QuorumSettings settings) {
        cluster = new QuorumCluster(folder, settings, voters);
    }

    @AfterEach
    void close() {
        cluster.close();
    }
}
