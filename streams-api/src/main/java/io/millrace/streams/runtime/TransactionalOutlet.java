package io.millrace.streams.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Exactly once: an interval is a transaction, its positions are part of it. */
final class TransactionalOutlet implements Outlet {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalOutlet.class);

    private final Function<Integer, Producer<byte[], byte[]>> producers;
    private final BooleanSupplier stopping;
    private final Writes writes = new Writes();
    private Producer<byte[], byte[]> producer;
    private int slot = Slots.NONE;
    private boolean open;

    TransactionalOutlet(Function<Integer, Producer<byte[], byte[]>> producers, BooleanSupplier stopping) {
        this.producers = producers;
        this.stopping = stopping;
    }

    @Override
    public void take(int newSlot) {
        if (producer != null && newSlot == slot && !open) {
            return;
        }
        close();
        slot = newSlot;
        producer = producers.apply(newSlot);
        repeating("take slot " + newSlot, producer::initTransactions);
    }

    @Override
    public void send(ProducerRecord<byte[], byte[]> record, Origin origin) {
        begin();
        writes.send(producer, record, origin);
    }

    @Override
    public Map<TopicPartition, Long> commit(
            Map<TopicPartition, OffsetAndMetadata> positions, Consumer<byte[], byte[]> member) {
        begin();
        producer.flush();
        writes.throwFailure();
        producer.sendOffsetsToTransaction(positions, member.groupMetadata());
        // from here on the outcome may be unknown; asking the coordinator again is what the protocol provides for it
        repeating("commit", producer::commitTransaction);
        open = false;
        return writes.drain();
    }

    @Override
    public void abort() {
        if (open) {
            repeating("abort", producer::abortTransaction);
            open = false;
        }
        writes.drain();
    }

    @Override
    public void close() {
        if (producer != null) {
            // not patient: a successor's initTransactions, or the timeout, finishes what is left
            producer.close(Duration.ofSeconds(2));
            producer = null;
        }
        open = false;
        writes.drain();
    }

    private void begin() {
        if (!open) {
            producer.beginTransaction();
            open = true;
        }
    }

    private void repeating(String what, Runnable call) {
        while (true) {
            try {
                call.run();
                return;
            } catch (KafkaException e) {
                if (Verdicts.of(e) != Verdict.REPEAT || stopping.getAsBoolean()) {
                    throw e;
                }
                LOG.warn(
                        "slot {}: the log did not answer in time to '{}' ({}), asking again",
                        slot,
                        what,
                        e.getMessage());
            }
        }
    }
}
