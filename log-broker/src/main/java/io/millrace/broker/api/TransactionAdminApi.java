package io.millrace.broker.api;

import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.txn.Transaction;
import io.millrace.txn.TxnCommand;
import io.millrace.txn.TxnStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;

/** Transactions are listed, described, and ended on single partitions by hand. */
final class TransactionAdminApi {

    /** The transaction version in which markers carry the epoch after that of the transaction (KIP-1228). */
    private static final byte RAISES_EPOCH_SINCE = 2;

    private final ApiContext context;

    TransactionAdminApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<ListTransactionsResponseData> list(RequestContext request) {
        ListTransactionsRequestData body = request.body(ListTransactionsRequestData.class);
        Set<String> titles = Stream.of(TxnStatus.values()).map(TxnStatus::title).collect(Collectors.toSet());
        List<String> unknown = body.stateFilters().stream()
                .filter(state -> !titles.contains(state))
                .toList();
        Pattern pattern;
        try {
            boolean any = body.transactionalIdPattern() == null
                    || body.transactionalIdPattern().isEmpty();
            pattern = any ? null : Pattern.compile(body.transactionalIdPattern());
        } catch (PatternSyntaxException e) {
            return Gather.now(
                    new ListTransactionsResponseData().setErrorCode(ErrorCode.INVALID_REGULAR_EXPRESSION.code()));
        }
        long nowMs = context.host().clock().wallMs();
        return Failures.worded(
                Gather.all(context.transactions().<List<Transaction>>askAll(TxnCommand.ListAll::new)),
                found -> new ListTransactionsResponseData()
                        .setUnknownStateFilters(unknown)
                        .setTransactionStates(found.stream()
                                .flatMap(List::stream)
                                .filter(one -> isWanted(body, pattern, one, nowMs))
                                .map(one -> new ListTransactionsResponseData.TransactionState()
                                        .setTransactionalId(one.id())
                                        .setProducerId(one.writerId())
                                        .setTransactionState(one.status().title()))
                                .toList()),
                error -> new ListTransactionsResponseData().setErrorCode(error.code()));
    }

    private static boolean isWanted(
            ListTransactionsRequestData body, Pattern pattern, Transaction transaction, long nowMs) {
        boolean state = body.stateFilters().isEmpty()
                || body.stateFilters().contains(transaction.status().title());
        boolean producer =
                body.producerIdFilters().isEmpty() || body.producerIdFilters().contains(transaction.writerId());
        boolean age = body.durationFilter() < 0
                || (transaction.startedMs() >= 0 && nowMs - transaction.startedMs() > body.durationFilter());
        boolean name = pattern == null || pattern.matcher(transaction.id()).matches();
        return state && producer && age && name;
    }

    CompletableFuture<DescribeTransactionsResponseData> describe(RequestContext request) {
        DescribeTransactionsRequestData body = request.body(DescribeTransactionsRequestData.class);
        List<CompletableFuture<TransactionState>> states =
                body.transactionalIds().stream().map(this::describe).toList();
        return Gather.all(states).thenApply(all -> new DescribeTransactionsResponseData().setTransactionStates(all));
    }

    private CompletableFuture<TransactionState> describe(String id) {
        TransactionState state = new TransactionState().setTransactionalId(id);
        return Failures.worded(
                context.transactions().<Optional<Transaction>>ask(id, reply -> new TxnCommand.Describe(id, reply)),
                found -> found.map(transaction -> described(state, transaction))
                        .orElseGet(() -> state.setErrorCode(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code())),
                error -> state.setErrorCode(error.code()));
    }

    private static TransactionState described(TransactionState state, Transaction transaction) {
        Map<String, TopicData> topics = new LinkedHashMap<>();
        transaction
                .partitions()
                .forEach(partition -> topics.computeIfAbsent(partition.topic(), name -> new TopicData().setTopic(name))
                        .partitions()
                        .add(partition.partition()));
        topics.values().forEach(state.topics()::add);
        return state.setTransactionState(transaction.status().title())
                .setTransactionTimeoutMs(transaction.timeoutMs())
                .setTransactionStartTimeMs(transaction.startedMs())
                .setProducerId(transaction.writerId())
                .setProducerEpoch(transaction.current().epoch());
    }

    CompletableFuture<WriteTxnMarkersResponseData> writeMarkers(RequestContext request) {
        WriteTxnMarkersRequestData body = request.body(WriteTxnMarkersRequestData.class);
        List<CompletableFuture<WritableTxnMarkerResult>> results =
                body.markers().stream().map(this::write).toList();
        return Gather.all(results).thenApply(all -> new WriteTxnMarkersResponseData().setMarkers(all));
    }

    private CompletableFuture<WritableTxnMarkerResult> write(WritableTxnMarker wanted) {
        TransactionMarker marker = new TransactionMarker(
                wanted.producerId(),
                wanted.producerEpoch(),
                wanted.transactionResult(),
                wanted.coordinatorEpoch(),
                wanted.transactionVersion() >= RAISES_EPOCH_SINCE);
        List<CompletableFuture<WritableTxnMarkerTopicResult>> topics = new ArrayList<>();
        wanted.topics().forEach(topic -> {
            List<CompletableFuture<WritableTxnMarkerPartitionResult>> partitions = topic.partitionIndexes().stream()
                    .map(index -> write(new TopicPartition(topic.name(), index), marker))
                    .toList();
            topics.add(Gather.all(partitions)
                    .thenApply(all -> new WritableTxnMarkerTopicResult()
                            .setName(topic.name())
                            .setPartitions(all)));
        });
        return Gather.all(topics)
                .thenApply(all -> new WritableTxnMarkerResult()
                        .setProducerId(wanted.producerId())
                        .setTopics(all));
    }

    private CompletableFuture<WritableTxnMarkerPartitionResult> write(
            TopicPartition partition, TransactionMarker marker) {
        WritableTxnMarkerPartitionResult result =
                new WritableTxnMarkerPartitionResult().setPartitionIndex(partition.partition());
        if (context.image().partition(partition.topic(), partition.partition()) == null) {
            return Gather.now(result.setErrorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()));
        }
        return context.markers().write(partition, marker).thenApply(error -> result.setErrorCode(error.code()));
    }
}
