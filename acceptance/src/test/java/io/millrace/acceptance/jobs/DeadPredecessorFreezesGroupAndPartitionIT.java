package io.millrace.acceptance.jobs;

import static io.millrace.streams.Formats.int32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.streams.Job;
import io.millrace.streams.Topic;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker died with an open transaction that has ten minutes left, in a partition and in the group's offsets. */
class DeadPredecessorFreezesGroupAndPartitionIT {
    private static final Logger LOG = LoggerFactory.getLogger(DeadPredecessorFreezesGroupAndPartitionIT.class);

    @RegisterExtension
    final JobBed bed = new JobBed();

    @ParameterizedTest
    @CsvSource({"taken-over, 0", "orphaned, 7"})
    void everything_is_free_as_soon_as_the_job_is_back(String name, int deadSlot) {
        Topic<Integer, Integer> in = Topic.of(name + "-in", int32(), int32());
        Topic<Integer, Integer> out = Topic.of(name + "-out", int32(), int32());
        bed.topics().create(in.name(), 1);
        bed.topics().create(out.name(), 1);
        bed.topics().send(in, 1, 1);
        bed.topics().flush();
        dieWithOpenTransaction(name, deadSlot, in, out);
        long startNanos = System.nanoTime();

        bed.start(Job.define(name, flow -> flow.from(in).to(out)));

        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> bed.topics().committed(name, in.name()).equals(Map.of(0, 1L)));
        assertThat(bed.topics().values(out)).containsExactly(1);
        LOG.info("{}: free {} ms after the start", name, (System.nanoTime() - startNanos) / 1_000_000);
    }

    private void dieWithOpenTransaction(String job, int slot, Topic<Integer, Integer> in, Topic<Integer, Integer> out) {
        KafkaProducer<byte[], byte[]> dead = new KafkaProducer<>(Map.of(
                "bootstrap.servers",
                bed.bootstrap(),
                "transactional.id",
                job + "-slot-" + slot,
                "transaction.timeout.ms",
                600_000,
                "key.serializer",
                ByteArraySerializer.class,
                "value.serializer",
                ByteArraySerializer.class));
        dead.initTransactions();
        dead.beginTransaction();
        byte[] one = int32().write(out.name(), 1);
        Future<?> unused = dead.send(new ProducerRecord<>(out.name(), one, one));
        dead.sendOffsetsToTransaction(
                Map.of(new TopicPartition(in.name(), 0), new OffsetAndMetadata(1)),
                bed.topics().groupWithoutMember(job));
        dead.flush();
        dead.close(Duration.ZERO); // says nothing to the broker, like a process that was killed
    }
}
