package io.millrace.broker.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Many answers made one. */
final class Gather {
    private Gather() {}

    /** Completes with all values, in order, when the last one is there. */
    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> parts) {
        if (parts.size() == 1) {
            return parts.get(0).thenApply(List::of); // most requests are about one partition
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(done -> parts.stream().map(CompletableFuture::join).toList());
    }

    static <T> CompletableFuture<T> now(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
