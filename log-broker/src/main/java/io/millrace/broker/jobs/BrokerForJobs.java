package io.millrace.broker.jobs;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.streams.EmbeddedCluster;
import java.nio.file.Path;

/** An embedded broker as a job sees it; found by {@link java.util.ServiceLoader}. */
public final class BrokerForJobs implements EmbeddedCluster {

    @Override
    public Running start(Path dataDir) {
        EmbeddedBroker broker = EmbeddedBroker.start(dataDir);
        return new Running() {
            @Override
            public String bootstrap() {
                return broker.bootstrap();
            }

            @Override
            public void close() {
                broker.close();
            }
        };
    }
}
