package io.millrace.streams.runtime;

import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** At least once: outputs first, then positions. A crash in between repeats the outputs. */
final class PlainOutlet implements Outlet {
    private final Producer<byte[], byte[]> producer;
    private final Writes writes = new Writes();

    PlainOutlet(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    @Override
    public void take(int slot) {
        // nothing to fence: without transactions two writers may overlap, and that is the guarantee
    }

    @Override
    public void send(ProducerRecord<byte[], byte[]> record, Origin origin) {
        writes.send(producer, record, origin);
    }

    @Override
    public Map<TopicPartition, Long> commit(
            Map<TopicPartition, OffsetAndMetadata> positions, Consumer<byte[], byte[]> member) {
        producer.flush();
        writes.throwFailure();
        member.commitSync(positions);
        return writes.drain();
    }

    @Override
    public void abort() {
        producer.flush();
        writes.drain();
    }

    @Override
    public void close() {
        producer.close();
    }
}
