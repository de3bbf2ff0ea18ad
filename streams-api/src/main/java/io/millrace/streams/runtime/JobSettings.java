package io.millrace.streams.runtime;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where and how a job runs.
 *
 * @param bootstrap {@code host:port} of the cluster, several separated by commas
 * @param stateDir the job's own folder: states, and the identity of its workers; one process at a time
 * @param workers threads that process, and as many for each sink
 * @param client settings for every Kafka client, for example {@code security.protocol}
 */
public record JobSettings(
        String bootstrap,
        Path stateDir,
        int workers,
        Timing timing,
        FailurePolicy failures,
        Map<String, String> client) {

    public JobSettings {
        if (workers < 1 || workers > 1000) {
            throw new IllegalArgumentException("a job has 1 to 1000 workers, found " + workers);
        }
        client = Map.copyOf(client);
    }

    public static JobSettings of(String bootstrap, Path stateDir) {
        return new JobSettings(bootstrap, stateDir, 1, Timing.DEFAULT, FailurePolicy.DEFAULT, Map.of());
    }

    public JobSettings workers(int count) {
        return new JobSettings(bootstrap, stateDir, count, timing, failures, client);
    }

    public JobSettings timing(Timing newTiming) {
        return new JobSettings(bootstrap, stateDir, workers, newTiming, failures, client);
    }

    public JobSettings failures(FailurePolicy policy) {
        return new JobSettings(bootstrap, stateDir, workers, timing, policy, client);
    }

    public JobSettings client(Map<String, String> properties) {
        return new JobSettings(bootstrap, stateDir, workers, timing, failures, properties);
    }
}
