package io.millrace.streams.runtime;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/** Waits for an answer of the admin client, with a limit, and throws what it says. */
final class AdminCalls {
    private AdminCalls() {}

    static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(Clients.CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new KafkaException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException(
                    "the cluster did not answer within %d s".formatted(Clients.CALL_TIMEOUT.toSeconds()), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
