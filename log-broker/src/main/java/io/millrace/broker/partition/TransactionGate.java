package io.millrace.broker.partition;

import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the first batch of a transaction into a partition only when the transaction's coordinator has the partition
 * registered durably (KIP-890), so that no transaction can be open here that its coordinator does not know of.
 *
 * <p>Batches wait here while the coordinator is asked. If the transaction is ended on this partition meanwhile, the
 * coordinator's answer is out of date and the batches are refused.
 */
final class TransactionGate {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionGate.class);

    private final TopicPartition partition;
    private final Registrar registrar;
    private final Loop<ShardMessage> shard;
    private final Map<Long, Pending> pending = new HashMap<>();

    TransactionGate(TopicPartition partition, Registrar registrar, Loop<ShardMessage> shard) {
        this.partition = partition;
        this.registrar = registrar;
        this.shard = shard;
    }

    /** Takes a batch whose transaction is not open here. */
    void admit(Produce produce, RecordBatch batch) {
        Pending known = pending.get(batch.producerId());
        if (known != null && known.epoch == batch.producerEpoch()) {
            known.produces.add(produce);
            return;
        }
        if (known != null) {
            pending.remove(batch.producerId());
            refuse(known, ErrorCode.INVALID_PRODUCER_EPOCH, "another epoch of producer " + batch.producerId());
        }
        Pending asked = new Pending(batch.producerEpoch());
        asked.produces.add(produce);
        pending.put(batch.producerId(), asked);
        ask(produce.transaction(), batch.producerId(), batch.producerEpoch());
    }

    private void ask(Produce.Transaction transaction, long producerId, short epoch) {
        registrar.register(transaction, producerId, epoch, partition).whenComplete((error, failure) -> {
            if (failure != null) {
                LOG.warn("{}: cannot ask the coordinator of {}", partition, transaction.transactionalId(), failure);
            }
            ErrorCode answer = failure == null ? error : codeOf(failure);
            shard.submit(new Registered(partition, producerId, epoch, answer));
        });
    }

    private static ErrorCode codeOf(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        LOG.debug("a coordinator that failed counts as one that is not available", cause);
        return ErrorCode.NOT_LEADER_OR_FOLLOWER; // makes the client look again and repeat
    }

    void registered(Registered answer, Consumer<Produce> append) {
        Pending asked = pending.get(answer.producerId());
        if (asked == null || asked.epoch != answer.producerEpoch()) {
            return;
        }
        pending.remove(answer.producerId());
        if (answer.error() != ErrorCode.NONE) {
            refuse(asked, answer.error(), "the transaction's coordinator refused the partition");
        } else if (asked.overtaken) {
            refuse(asked, ErrorCode.INVALID_TXN_STATE, "the transaction ended while its batch waited");
        } else {
            asked.produces.forEach(append);
        }
    }

    /** A transaction ends here; see the class comment. */
    void ended(WriteMarker marker) {
        Pending asked = pending.get(marker.record().producerId());
        if (asked != null) {
            // A marker that raises the epoch ends the transaction before the one of its own epoch.
            TransactionMarker end = marker.record();
            boolean ours = end.raisesEpoch() ? end.epoch() > asked.epoch : end.epoch() >= asked.epoch;
            asked.overtaken |= ours;
        }
    }

    void close(ErrorCode why) {
        List<Pending> all = new ArrayList<>(pending.values());
        pending.clear();
        all.forEach(one -> refuse(one, why, null));
    }

    private static void refuse(Pending asked, ErrorCode why, String message) {
        asked.produces.forEach(produce -> produce.reply().complete(Produce.Reply.refused(why, message)));
    }

    private static final class Pending {
        private final short epoch;
        private final List<Produce> produces = new ArrayList<>();
        private boolean overtaken;

        Pending(short epoch) {
            this.epoch = epoch;
        }
    }
}
