package io.millrace.benchmarks.side;

import io.millrace.testbed.ApacheKafka;
import io.millrace.testbed.BrokerProcess;
import io.millrace.testbed.FreePort;
import io.millrace.testbed.JvmFlags;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.MillraceServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The two brokers that a run starts itself. Both get the JVM flags of Apache Kafka's own start script. */
public enum Product {
    MILLRACE("millrace") {
        @Override
        BrokerProcess at(Path folder, JvmFlags flags) {
            return MillraceServer.at(folder, FreePort.find(), flags);
        }

        @Override
        List<? extends BrokerProcess> cluster(Path folder, int nodes, JvmFlags flags) {
            return MillraceCluster.prepare(folder, nodes, flags);
        }
    },
    APACHE_KAFKA("apache-kafka") {
        @Override
        BrokerProcess at(Path folder, JvmFlags flags) {
            return ApacheKafka.at(folder, FreePort.find(), flags);
        }

        @Override
        List<? extends BrokerProcess> cluster(Path folder, int nodes, JvmFlags flags) {
            return ApacheKafka.cluster(folder, nodes, flags);
        }
    };

    public static final String HEAP = "1g";
    private static final String SMALL_HEAP = "256m";

    private final String label;

    Product(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** Not started yet, on an empty folder. */
    public BrokerProcess prepare(Path folder) {
        return at(created(folder), flags("-Xms" + HEAP, "-Xmx" + HEAP));
    }

    /** Likewise, with a heap of 256 MB. */
    public BrokerProcess prepareSmall(Path folder) {
        return at(created(folder), flags("-Xmx" + SMALL_HEAP));
    }

    /** A running cluster, with a replica of every topic on each node. */
    public LaunchedCluster startCluster(Path folder, int nodes) {
        return LaunchedCluster.start(label, cluster(created(folder), nodes, flags("-Xms" + HEAP, "-Xmx" + HEAP)));
    }

    abstract BrokerProcess at(Path folder, JvmFlags flags);

    abstract List<? extends BrokerProcess> cluster(Path folder, int nodes, JvmFlags flags);

    private static Path created(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JvmFlags flags(String... heap) {
        return JvmFlags.of(
                        "-server",
                        "-XX:+UseG1GC",
                        "-XX:MaxGCPauseMillis=20",
                        "-XX:InitiatingHeapOccupancyPercent=35",
                        "-XX:+ExplicitGCInvokesConcurrent",
                        "-Djava.awt.headless=true")
                .and(heap);
    }
}
