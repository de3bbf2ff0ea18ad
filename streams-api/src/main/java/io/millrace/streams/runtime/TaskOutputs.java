package io.millrace.streams.runtime;

import io.millrace.streams.state.ByteKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What the records of a task write. The outputs of a record are held until it has passed all operators; then they are
 * sent or, where a later one for the same key would replace them, wait for the commit.
 */
final class TaskOutputs {
    /** What replaces what: outputs of one step for one key. */
    private record Address(int step, ByteKey key) {}

    private record Waiting(ProducerRecord<byte[], byte[]> output, Origin origin) {}

    private final List<ProducerRecord<byte[], byte[]>> inHand = new ArrayList<>();
    /** For each output in hand its address, or null if nothing can replace it. */
    private final List<Address> addresses = new ArrayList<>();
    /** In the order in which the keys first came, so that a repeated interval sends the same. */
    private final Map<Address, Waiting> waiting = new LinkedHashMap<>();

    void add(ProducerRecord<byte[], byte[]> output) {
        inHand.add(output);
        addresses.add(null);
    }

    void addLatest(int step, ProducerRecord<byte[], byte[]> output) {
        inHand.add(output);
        addresses.add(new Address(step, new ByteKey(output.key())));
    }

    /** The record in hand failed. */
    void dropRecord() {
        inHand.clear();
        addresses.clear();
    }

    /** The record in hand has passed. Returns how many of its outputs were sent. */
    int sendRecord(RecordSender sender, Origin origin) {
        int sent = 0;
        for (int i = 0; i < inHand.size(); i++) {
            Address address = addresses.get(i);
            if (address == null) {
                sender.send(inHand.get(i), origin);
                sent++;
            } else {
                waiting.put(address, new Waiting(inHand.get(i), origin));
            }
        }
        dropRecord();
        return sent;
    }

    /** Before the commit. Returns how many were sent. */
    int sendWaiting(RecordSender sender) {
        int sent = waiting.size();
        waiting.values().forEach(last -> sender.send(last.output(), last.origin()));
        waiting.clear();
        return sent;
    }

    /** The interval's transaction was aborted. */
    void clear() {
        dropRecord();
        waiting.clear();
    }
}
