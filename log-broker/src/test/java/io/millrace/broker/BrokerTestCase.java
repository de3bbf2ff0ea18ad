package io.millrace.broker;

import io.millrace.broker.settings.BrokerSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A broker on a fresh folder for each test. */
abstract class BrokerTestCase {
    @TempDir
    Path folder;

    EmbeddedBroker broker;
    Clients clients;

    /** Settings that differ from the defaults. */
    Map<String, String> settings() {
        return Map.of();
    }

    @BeforeEach
    final void startBroker() {
        Map<String, String> all = new HashMap<>();
        all.put(BrokerSettings.PORT, "0");
        all.put(BrokerSettings.GROUP_INITIAL_REBALANCE_DELAY_MS, "0");
        all.put(BrokerSettings.OFFSETS_PARTITIONS, "2");
        all.put(BrokerSettings.TRANSACTION_PARTITIONS, "2");
        all.putAll(settings());
        broker = EmbeddedBroker.start(new BrokerConfig(folder, all));
        clients = new Clients(broker.bootstrap());
    }

    /** Stops the broker cleanly and starts it on the same folder, at another port. */
    final void restartBroker() {
        broker.close();
        startBroker();
    }

    @AfterEach
    final void stopBroker() {
        broker.close();
    }
}
