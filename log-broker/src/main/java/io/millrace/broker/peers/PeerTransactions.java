package io.millrace.broker.peers;

import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.txn.TxnStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;

/**
 * What is asked of other brokers about transactions: their coordinators for registrations and for what is open, the leaders
 * of partitions to write markers.
 */
public final class PeerTransactions {
    private static final byte RAISES_EPOCH = 2;
    private static final byte PLAIN = 1;

    private final Peers peers;

    public PeerTransactions(Peers peers) {
        this.peers = peers;
    }

    /** Runs a task on the peers' loop after a while. */
    public void after(long delayMs, Runnable task) {
        peers.after(delayMs, task);
    }

    /**
     * Asks a coordinator on another broker whether a transaction may write to a partition.
     *
     * @param joins whether the partition becomes a part of the transaction by this; else it has to be one
     */
    public CompletableFuture<ErrorCode> register(
            int node, String transactionalId, long producerId, short epoch, boolean joins, TopicPartition partition) {
        AddPartitionsToTxnTransaction transaction = new AddPartitionsToTxnTransaction()
                .setTransactionalId(transactionalId)
                .setProducerId(producerId)
                .setProducerEpoch(epoch)
                .setVerifyOnly(!joins);
        transaction
                .topics()
                .add(new AddPartitionsToTxnTopic()
                        .setName(partition.topic())
                        .setPartitions(List.of(partition.partition())));
        AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData();
        request.transactions().add(transaction);
        return peers.call(node, request, AddPartitionsToTxnResponseData.class).thenApply(PeerTransactions::error);
    }

    private static ErrorCode error(AddPartitionsToTxnResponseData response) {
        if (response.errorCode() != ErrorCode.NONE.code()) {
            return ErrorCode.of(response.errorCode());
        }
        return response.resultsByTransaction().stream()
                .flatMap(transaction -> transaction.topicResults().stream())
                .flatMap(topic -> topic.resultsByPartition().stream())
                .map(partition -> ErrorCode.of(partition.partitionErrorCode()))
                .findFirst()
                .orElse(ErrorCode.UNKNOWN_SERVER_ERROR);
    }

    /** Brings the end of a transaction to partitions that another broker leads; all of them in one request. */
    public CompletableFuture<Map<TopicPartition, ErrorCode>> end(
            int node, TransactionMarker marker, List<TopicPartition> partitions) {
        Map<String, WritableTxnMarkerTopic> topics = new HashMap<>();
        partitions.forEach(partition -> topics.computeIfAbsent(
                        partition.topic(), name -> new WritableTxnMarkerTopic().setName(name))
                .partitionIndexes()
                .add(partition.partition()));
        WritableTxnMarker written = new WritableTxnMarker()
                .setProducerId(marker.producerId())
                .setProducerEpoch(marker.epoch())
                .setTransactionResult(marker.commit())
                .setCoordinatorEpoch(marker.coordinatorEpoch())
                .setTransactionVersion(marker.raisesEpoch() ? RAISES_EPOCH : PLAIN)
                .setTopics(List.copyOf(topics.values()));
        WriteTxnMarkersRequestData request = new WriteTxnMarkersRequestData().setMarkers(List.of(written));
        return peers.call(node, request, WriteTxnMarkersResponseData.class).thenApply(PeerTransactions::errors);
    }

    /** What is open or about to end with the coordinators on another broker. */
    public CompletableFuture<List<Busy>> busy(int node) {
        ListTransactionsRequestData list = new ListTransactionsRequestData()
                .setStateFilters(Stream.of(TxnStatus.values())
                        .filter(TxnStatus::busy)
                        .map(TxnStatus::title)
                        .toList());
        return peers.call(node, list, ListTransactionsResponseData.class).thenCompose(listed -> {
            check(listed.errorCode(), "transactions of node " + node);
            DescribeTransactionsRequestData describe = new DescribeTransactionsRequestData();
            listed.transactionStates()
                    .forEach(one -> describe.transactionalIds().add(one.transactionalId()));
            return peers.call(node, describe, DescribeTransactionsResponseData.class)
                    .thenApply(PeerTransactions::busy);
        });
    }

    private static List<Busy> busy(DescribeTransactionsResponseData described) {
        List<Busy> busy = new ArrayList<>();
        for (TransactionState one : described.transactionStates()) {
            if (one.errorCode() != ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code()) {
                check(one.errorCode(), "transaction " + one.transactionalId());
                one.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(partition -> busy.add(
                                        new Busy(one.producerId(), new TopicPartition(topic.topic(), partition)))));
            }
        }
        return busy;
    }

    private static void check(short error, String what) {
        if (error != ErrorCode.NONE.code()) {
            throw new PeerUnavailable(what + ": " + ErrorCode.of(error));
        }
    }

    private static Map<TopicPartition, ErrorCode> errors(WriteTxnMarkersResponseData response) {
        Map<TopicPartition, ErrorCode> errors = new HashMap<>();
        response.markers()
                .forEach(marker -> marker.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(partition -> errors.put(
                                        new TopicPartition(topic.name(), partition.partitionIndex()),
                                        ErrorCode.of(partition.errorCode())))));
        return errors;
    }

    /** A partition of a transaction that is open or about to end. */
    public record Busy(long producerId, TopicPartition partition) {}
}
