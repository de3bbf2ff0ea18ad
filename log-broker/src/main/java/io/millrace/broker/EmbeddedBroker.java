package io.millrace.broker;

import io.millrace.broker.partition.StoppedLogs;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.kernel.real.FileDisk;
import io.millrace.kernel.real.RealHost;
import java.nio.file.Path;
import java.util.Map;

/** A broker inside this process, for tests and for jobs that need nothing else installed. */
public final class EmbeddedBroker implements AutoCloseable {
    private final RealHost world;
    private final BrokerNode node;

    private EmbeddedBroker(BrokerConfig config) {
        world = new RealHost(config.values().number(BrokerSettings.IO_THREADS));
        try {
            node = BrokerNode.start(world.host(), config, quorums(config));
            node.ready().join();
        } catch (RuntimeException e) {
            world.close();
            throw e;
        }
    }

    private static QuorumMaker quorums(BrokerConfig config) {
        return config.isAlone()
                ? QuorumMaker.LOCAL
                : new RatisQuorums(
                        config.voters(),
                        config.values().text(BrokerSettings.HOST),
                        config.values().number(BrokerSettings.METADATA_PORT));
    }

    /** What a broker that is not running has in its folder. */
    public static StoppedLogs stoppedLogs(Path data) {
        return new StoppedLogs(new FileDisk(), data);
    }

    /** Starts a broker on a folder, at any free port of this machine; returns when the first request would succeed. */
    public static EmbeddedBroker start(Path data) {
        return start(new BrokerConfig(data, Map.of(BrokerSettings.PORT, "0")));
    }

    public static EmbeddedBroker start(BrokerConfig config) {
        return new EmbeddedBroker(config);
    }

    /** Where clients connect, as {@code host:port}. */
    public String bootstrap() {
        return node.bootstrap();
    }

    public int port() {
        return node.port();
    }

    public String clusterId() {
        return node.clusterId();
    }

    @Override
    public void close() {
        try {
            node.close();
        } catch (Exception e) {
            throw new IllegalStateException("the broker did not stop cleanly: " + e.getMessage(), e);
        } finally {
            world.close();
        }
    }
}
