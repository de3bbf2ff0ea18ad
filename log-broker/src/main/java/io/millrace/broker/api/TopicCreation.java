package io.millrace.broker.api;

import io.millrace.broker.metadata.ControllerCommand;
import io.millrace.broker.metadata.Outcome;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.DiskException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;

/** Topics that come to be, whoever asked for them: usable by the time the answer is given. */
final class TopicCreation {
    private static final long PATIENCE_MS = 5_000;

    private final ApiContext context;

    TopicCreation(ApiContext context) {
        this.context = context;
    }

    /** Asks the controller, and waits until the shards of this broker follow what it decided. */
    <T> CompletableFuture<Outcome<T>> ask(Function<CompletableFuture<Outcome<T>>, ControllerCommand> command) {
        return context.controller()
                .ask(command)
                .exceptionally(TopicCreation::storageFailed)
                .thenCompose(outcome -> context.shards().reached().thenApply(followed -> outcome));
    }

    /** The metadata log could not be written, as on a full disk: nothing has changed. */
    private static <T> Outcome<T> storageFailed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof DiskException) {
            return Outcome.refused(ErrorCode.KAFKA_STORAGE_ERROR, cause.getMessage());
        }
        throw new CompletionException(cause);
    }

    /** Makes a topic with default settings unless it exists. */
    CompletableFuture<Outcome<TopicImage>> ensure(String name) {
        TopicImage existing = context.image().topic(name);
        if (existing != null) {
            return Gather.now(new Outcome.Done<>(existing));
        }
        int partitions = -1;
        if (name.equals(TopicImage.OFFSETS)) {
            partitions = context.settings().number(BrokerSettings.OFFSETS_PARTITIONS);
        } else if (name.equals(TopicImage.TRANSACTIONS)) {
            partitions = context.settings().number(BrokerSettings.TRANSACTION_PARTITIONS);
        }
        return create(name, partitions).thenCompose(error -> {
            if (error != ErrorCode.NONE && error != ErrorCode.TOPIC_ALREADY_EXISTS) {
                return Gather.now(Outcome.refused(error, name + " cannot be made: " + error));
            }
            return context.controller()
                    .until(image -> image.topic(name) != null)
                    .thenCompose(image ->
                            context.shards().reached().thenApply(followed -> new Outcome.Done<>(image.topic(name))));
        });
    }

    /** By the controller, wherever that is. */
    private CompletableFuture<ErrorCode> create(String name, int partitions) {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs((int) PATIENCE_MS);
        request.topics()
                .add(new CreatableTopic()
                        .setName(name)
                        .setNumPartitions(partitions)
                        .setReplicationFactor((short) -1));
        return context.controllerLine()
                .ask(request, CreateTopicsResponseData.class, PATIENCE_MS)
                .thenApply(response ->
                        ErrorCode.of(response.topics().iterator().next().errorCode()))
                .exceptionally(failure -> ErrorCode.LEADER_NOT_AVAILABLE); // nobody to ask: the client comes again
    }
}
