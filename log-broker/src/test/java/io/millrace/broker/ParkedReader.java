package io.millrace.broker;

import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.log.RecordBatches;
import io.millrace.broker.log.RecordReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Follows the committed records of a partition with one long poll after the other, and filters as clients do. */
final class ParkedReader {
    private static final int WAIT_MS = 500;

    private final SimBroker broker;
    private final String topic;
    private final List<String> values = new ArrayList<>();
    private SimBroker.Client client;
    private long position;

    ParkedReader(SimBroker broker, String topic) {
        this.broker = broker;
        this.topic = topic;
        connect();
    }

    /** Goes on where it was, over a new connection. */
    void connect() {
        client = broker.client();
        poll(client);
    }

    private void poll(SimBroker.Client over) {
        over.send(
                        Calls.fetch(topic, 0, position, IsolationLevel.READ_COMMITTED, WAIT_MS),
                        Calls.FETCH,
                        FetchResponseData.class)
                .thenAccept(answer -> {
                    take(answer.responses().get(0).partitions().get(0));
                    poll(over);
                });
    }

    private void take(PartitionData data) {
        SimClientSteps.check(data.errorCode());
        PriorityQueue<AbortedTransaction> aborted =
                new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));
        if (data.abortedTransactions() != null) {
            aborted.addAll(data.abortedTransactions());
        }
        Set<Long> aborting = new HashSet<>();
        for (RecordBatch batch : new RecordBatches(((MemoryRecords) data.records()).buffer())) {
            while (!aborted.isEmpty() && aborted.peek().firstOffset() <= batch.lastOffset()) {
                aborting.add(aborted.remove().producerId());
            }
            if (batch.control()) {
                aborting.remove(batch.producerId());
            } else if (!aborting.contains(batch.producerId()) && batch.baseOffset() >= position) {
                for (RecordReader records = new RecordReader(batch); records.next(); ) {
                    values.add(StandardCharsets.UTF_8.decode(records.value()).toString());
                }
            }
            position = batch.lastOffset() + 1;
        }
    }

    List<String> values() {
        return List.copyOf(values);
    }
}
