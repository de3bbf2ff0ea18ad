package io.millrace.broker.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;

/** The answer to a request that wants none, such as a produce with acks=0, or is to get none before its connection ends. */
public final class NoResponse {
    private static final CompletionStage<ApiMessage> NONE = CompletableFuture.completedFuture(null);

    private NoResponse() {}

    public static CompletionStage<ApiMessage> get() {
        return NONE;
    }
}
