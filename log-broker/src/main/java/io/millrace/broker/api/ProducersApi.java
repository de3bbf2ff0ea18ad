package io.millrace.broker.api;

import io.millrace.broker.server.RequestContext;
import io.millrace.broker.transactions.TxnErrors;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.txn.ProducerIdentity;
import io.millrace.txn.TxnCommand;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;

/** Producers get an identity: any idempotent one, or the one of a transactional id. */
final class ProducersApi {
    private static final short FENCED_SINCE = 4;
    private static final short ABORTABLE_SINCE = 5;

    private final ApiContext context;

    ProducersApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<InitProducerIdResponseData> init(RequestContext request) {
        InitProducerIdRequestData body = request.body(InitProducerIdRequestData.class);
        boolean named = body.producerId() >= 0 || body.producerEpoch() >= 0;
        if (body.transactionalId() == null) {
            return idempotent();
        }
        if (body.transactionalId().isEmpty() || (named && (body.producerId() < 0 || body.producerEpoch() < 0))) {
            return Gather.now(refused(ErrorCode.INVALID_REQUEST));
        }
        ProducerIdentity expected = named ? new ProducerIdentity(body.producerId(), body.producerEpoch()) : null;
        return Failures.worded(
                context.transactions()
                        .<TxnCommand.Answer>ask(
                                body.transactionalId(),
                                reply -> new TxnCommand.Init(
                                        body.transactionalId(), body.transactionTimeoutMs(), expected, reply)),
                answer -> worded(answer, request.version()),
                ProducersApi::refused);
    }

    private static InitProducerIdResponseData worded(TxnCommand.Answer answer, short version) {
        ErrorCode error = TxnErrors.code(answer.error(), version >= FENCED_SINCE, version >= ABORTABLE_SINCE);
        return error == ErrorCode.NONE
                ? given(answer.identity().producerId(), answer.identity().epoch())
                : refused(error);
    }

    /** A producer without transactions is nobody's successor: it always gets a new id. */
    private CompletableFuture<InitProducerIdResponseData> idempotent() {
        OptionalLong id = context.producerIds().next();
        if (id.isPresent()) {
            return Gather.now(given(id.getAsLong(), (short) 0));
        }
        return context.producerIds().refill().thenApply(done -> {
            OptionalLong later = context.producerIds().next();
            return later.isPresent()
                    ? given(later.getAsLong(), (short) 0)
                    : refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);
        });
    }

    private static InitProducerIdResponseData given(long producerId, short epoch) {
        return new InitProducerIdResponseData().setProducerId(producerId).setProducerEpoch(epoch);
    }

    private static InitProducerIdResponseData refused(ErrorCode error) {
        return new InitProducerIdResponseData()
                .setErrorCode(error.code())
                .setProducerId(-1)
                .setProducerEpoch((short) -1);
    }
}
