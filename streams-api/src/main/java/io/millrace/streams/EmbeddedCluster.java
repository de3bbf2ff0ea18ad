package io.millrace.streams;

import java.nio.file.Path;

/** A broker that can be started inside a job's process; found with {@link java.util.ServiceLoader}. */
public interface EmbeddedCluster {
    /** Returns when the first request would succeed. */
    Running start(Path dataDir);

    interface Running extends AutoCloseable {
        /** {@code host:port} for clients. */
        String bootstrap();

        @Override
        void close();
    }
}
