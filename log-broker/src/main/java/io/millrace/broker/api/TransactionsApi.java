package io.millrace.broker.api;

import io.millrace.broker.server.RequestContext;
import io.millrace.broker.transactions.Registrations;
import io.millrace.broker.transactions.TxnErrors;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.txn.ProducerIdentity;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;

/** Transactions grow and end. */
final class TransactionsApi {
    private static final short BATCHED_SINCE = 4;
    private static final short ADD_FENCED_SINCE = 2;
    private static final short ADD_PARTITIONS_ABORTABLE_SINCE = 5;
    private static final short ADD_OFFSETS_ABORTABLE_SINCE = 4;
    private static final short END_FENCED_SINCE = 2;
    private static final short END_ABORTABLE_SINCE = 4;
    /** From this version on every end of a transaction raises the producer's epoch (KIP-890). */
    private static final short RAISES_EPOCH_SINCE = 5;

    private final ApiContext context;

    TransactionsApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<AddPartitionsToTxnResponseData> addPartitions(RequestContext request) {
        AddPartitionsToTxnRequestData body = request.body(AddPartitionsToTxnRequestData.class);
        if (request.version() < BATCHED_SINCE) {
            AddPartitionsToTxnTransaction single = new AddPartitionsToTxnTransaction()
                    .setTransactionalId(body.v3AndBelowTransactionalId())
                    .setProducerId(body.v3AndBelowProducerId())
                    .setProducerEpoch(body.v3AndBelowProducerEpoch())
                    .setTopics(body.v3AndBelowTopics());
            return addPartitions(single, request.version())
                    .thenApply(result ->
                            new AddPartitionsToTxnResponseData().setResultsByTopicV3AndBelow(result.topicResults()));
        }
        List<CompletableFuture<AddPartitionsToTxnResult>> results = new ArrayList<>();
        body.transactions().forEach(transaction -> results.add(addPartitions(transaction, request.version())));
        return Gather.all(results).thenApply(all -> {
            AddPartitionsToTxnResponseData response = new AddPartitionsToTxnResponseData();
            all.forEach(response.resultsByTransaction()::add);
            return response;
        });
    }

    private CompletableFuture<AddPartitionsToTxnResult> addPartitions(
            AddPartitionsToTxnTransaction transaction, short version) {
        SortedSet<TxnPartition> wanted = new TreeSet<>();
        SortedSet<TxnPartition> unknown = new TreeSet<>();
        for (AddPartitionsToTxnTopic topic : transaction.topics()) {
            for (int index : topic.partitions()) {
                boolean exists = context.image().partition(topic.name(), index) != null;
                (exists ? wanted : unknown).add(new TxnPartition(topic.name(), index));
            }
        }
        if (!unknown.isEmpty()) {
            // All or nothing: with one partition missing the others are not attempted.
            return Gather.now(result(
                    transaction,
                    partition -> unknown.contains(partition)
                            ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                            : ErrorCode.OPERATION_NOT_ATTEMPTED));
        }
        String id = transaction.transactionalId();
        ProducerIdentity who = new ProducerIdentity(transaction.producerId(), transaction.producerEpoch());
        // Only other brokers ask in the newer versions.
        long patienceMs = version < BATCHED_SINCE ? TxnCommand.PATIENT_MS : Registrations.WAIT_MS;
        CompletableFuture<TxnCommand.Answer> answer = context.transactions()
                .ask(
                        id,
                        reply -> transaction.verifyOnly()
                                ? new TxnCommand.Verify(id, who, wanted, patienceMs, reply)
                                : new TxnCommand.Join(id, who, wanted, patienceMs, reply));
        return Failures.worded(
                answer,
                said -> {
                    ErrorCode error = TxnErrors.code(
                            said.error(), version >= ADD_FENCED_SINCE, version >= ADD_PARTITIONS_ABORTABLE_SINCE);
                    return result(transaction, partition -> error);
                },
                error -> result(transaction, partition -> error));
    }

    private static AddPartitionsToTxnResult result(
            AddPartitionsToTxnTransaction transaction, Function<TxnPartition, ErrorCode> errors) {
        AddPartitionsToTxnResult result =
                new AddPartitionsToTxnResult().setTransactionalId(transaction.transactionalId());
        for (AddPartitionsToTxnTopic topic : transaction.topics()) {
            AddPartitionsToTxnTopicResult found = new AddPartitionsToTxnTopicResult().setName(topic.name());
            for (int index : topic.partitions()) {
                found.resultsByPartition()
                        .add(new AddPartitionsToTxnPartitionResult()
                                .setPartitionIndex(index)
                                .setPartitionErrorCode(errors.apply(new TxnPartition(topic.name(), index))
                                        .code()));
            }
            result.topicResults().add(found);
        }
        return result;
    }

    CompletableFuture<AddOffsetsToTxnResponseData> addOffsets(RequestContext request) {
        AddOffsetsToTxnRequestData body = request.body(AddOffsetsToTxnRequestData.class);
        TopicPartition offsets = context.groups().responsible(body.groupId());
        if (offsets == null) {
            return Gather.now(
                    new AddOffsetsToTxnResponseData().setErrorCode(ErrorCode.COORDINATOR_NOT_AVAILABLE.code()));
        }
        SortedSet<TxnPartition> wanted = new TreeSet<>();
        wanted.add(new TxnPartition(offsets.topic(), offsets.partition()));
        ProducerIdentity who = new ProducerIdentity(body.producerId(), body.producerEpoch());
        return Failures.worded(
                context.transactions()
                        .<TxnCommand.Answer>ask(
                                body.transactionalId(),
                                reply -> new TxnCommand.Join(
                                        body.transactionalId(), who, wanted, TxnCommand.PATIENT_MS, reply)),
                answer -> new AddOffsetsToTxnResponseData()
                        .setErrorCode(TxnErrors.code(
                                        answer.error(),
                                        request.version() >= ADD_FENCED_SINCE,
                                        request.version() >= ADD_OFFSETS_ABORTABLE_SINCE)
                                .code()),
                error -> new AddOffsetsToTxnResponseData().setErrorCode(error.code()));
    }

    CompletableFuture<EndTxnResponseData> end(RequestContext request) {
        EndTxnRequestData body = request.body(EndTxnRequestData.class);
        ProducerIdentity who = new ProducerIdentity(body.producerId(), body.producerEpoch());
        return Failures.worded(
                context.transactions()
                        .<TxnCommand.Answer>ask(
                                body.transactionalId(),
                                reply -> new TxnCommand.End(
                                        body.transactionalId(),
                                        who,
                                        body.committed(),
                                        request.version() >= RAISES_EPOCH_SINCE,
                                        reply)),
                answer -> {
                    EndTxnResponseData response = new EndTxnResponseData()
                            .setErrorCode(TxnErrors.code(
                                            answer.error(),
                                            request.version() >= END_FENCED_SINCE,
                                            request.version() >= END_ABORTABLE_SINCE)
                                    .code());
                    return answer.identity() == null
                            ? response
                            : response.setProducerId(answer.identity().producerId())
                                    .setProducerEpoch(answer.identity().epoch());
                },
                error -> new EndTxnResponseData().setErrorCode(error.code()));
    }
}
