package io.millrace.broker;

import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.log.RecordBatches;
import io.millrace.broker.log.RecordReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** What tests do over a simulated connection, in their own words. */
final class SimClientSteps {
    private final SimBroker.Client client;

    SimClientSteps(SimBroker.Client client) {
        this.client = client;
    }

    void createTopic(String name, int partitions) {
        CreateTopicsResponseData response =
                client.call(Calls.createTopic(name, partitions), Calls.CREATE_TOPICS, CreateTopicsResponseData.class);
        check(response.topics().find(name).errorCode());
    }

    InitProducerIdResponseData init(String transactionalId, int timeoutMs) {
        client.call(
                Calls.findCoordinator(transactionalId, 1), Calls.FIND_COORDINATOR, FindCoordinatorResponseData.class);
        InitProducerIdResponseData response =
                client.call(Calls.init(transactionalId, timeoutMs), Calls.INIT, InitProducerIdResponseData.class);
        check(response.errorCode());
        return response;
    }

    PartitionProduceResponse produce(String topic, String transactionalId, Calls.Sender sender, String... values) {
        return produce(topic, 0, transactionalId, sender, values);
    }

    PartitionProduceResponse produce(
            String topic, int partition, String transactionalId, Calls.Sender sender, String... values) {
        ProduceResponseData response = client.call(
                Calls.produce(topic, partition, transactionalId, sender, values),
                Calls.PRODUCE,
                ProduceResponseData.class);
        return response.responses().iterator().next().partitionResponses().get(0);
    }

    EndTxnResponseData end(String transactionalId, long producerId, int epoch, boolean commit) {
        return client.call(
                Calls.end(transactionalId, producerId, epoch, commit), Calls.END_TXN, EndTxnResponseData.class);
    }

    long endOffset(String topic, IsolationLevel isolation) {
        ListOffsetsResponseData response =
                client.call(Calls.latest(topic, 0, isolation), Calls.LIST_OFFSETS, ListOffsetsResponseData.class);
        return response.topics().get(0).partitions().get(0).offset();
    }

    /** Everything that a reader of committed records gets from the start of a partition, filtered as clients do. */
    List<String> committedValues(String topic) {
        return committedValues(topic, 0);
    }

    List<String> committedValues(String topic, int partition) {
        FetchResponseData response = client.call(
                Calls.fetch(topic, partition, 0, IsolationLevel.READ_COMMITTED, 0),
                Calls.FETCH,
                FetchResponseData.class);
        return committedValues(response.responses().get(0).partitions().get(0));
    }

    static List<String> committedValues(PartitionData data) {
        check(data.errorCode());
        List<String> values = new ArrayList<>();
        Set<Long> aborting = new HashSet<>();
        ByteBuffer bytes = ((MemoryRecords) data.records()).buffer();
        for (RecordBatch batch : new RecordBatches(bytes)) {
            for (AbortedTransaction aborted : data.abortedTransactions()) {
                if (aborted.producerId() == batch.producerId() && aborted.firstOffset() == batch.baseOffset()) {
                    aborting.add(batch.producerId());
                }
            }
            if (batch.control()) {
                aborting.remove(batch.producerId());
                continue;
            }
            boolean dropped = batch.transactional() && aborting.contains(batch.producerId());
            for (RecordReader records = new RecordReader(batch); records.next() && !dropped; ) {
                values.add(StandardCharsets.UTF_8.decode(records.value()).toString());
            }
        }
        return values;
    }

    static void check(short errorCode) {
        if (errorCode != Errors.NONE.code()) {
            throw new AssertionError(Errors.forCode(errorCode));
        }
    }
}
