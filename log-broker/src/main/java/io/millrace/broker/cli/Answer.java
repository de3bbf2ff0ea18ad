package io.millrace.broker.cli;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for the cluster, but not for ever. */
final class Answer {
    private static final int PATIENCE_S = 60;

    private Answer() {}

    static <T> T of(KafkaFuture<T> future) throws ExecutionException, InterruptedException {
        try {
            return future.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the cluster has not answered for " + PATIENCE_S + " s; is --bootstrap the address of a broker?",
                    e);
        }
    }
}
