package io.millrace.streams.runtime;

import io.millrace.streams.EmbeddedCluster;

/** An embedded cluster that may be closed twice: by its owner and by a signal. */
final class EmbeddedOnce implements EmbeddedCluster.Running {
    private final EmbeddedCluster.Running cluster;
    private boolean closed;

    EmbeddedOnce(EmbeddedCluster.Running cluster) {
        this.cluster = cluster;
    }

    @Override
    public String bootstrap() {
        return cluster.bootstrap();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            cluster.close();
        }
    }
}
