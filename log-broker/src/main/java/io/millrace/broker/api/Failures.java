package io.millrace.broker.api;

import io.millrace.broker.transactions.TxnErrors;
import io.millrace.broker.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Answers of coordinators that could not be asked become responses with an error. */
final class Failures {
    private Failures() {}

    /** Words the answer, or the reason why there is none. */
    static <A, R> CompletableFuture<R> worded(
            CompletableFuture<A> answer, Function<A, R> worded, Function<ErrorCode, R> failed) {
        return answer.handle(
                (value, failure) -> failure == null ? worded.apply(value) : failed.apply(TxnErrors.code(failure)));
    }
}
