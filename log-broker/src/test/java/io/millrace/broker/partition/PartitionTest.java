package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.BareFolder;
import io.millrace.broker.log.BatchBuilder;
import io.millrace.broker.log.Forcing;
import io.millrace.broker.log.LastStop;
import io.millrace.broker.log.LogCheckpoint;
import io.millrace.broker.log.LogSettings;
import io.millrace.broker.log.PartitionLog;
import io.millrace.broker.log.RecordBatch;
import io.millrace.broker.log.TransactionMarker;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.replication.LagLimits;
import io.millrace.broker.settings.ThrottledReplicas;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** A partition with replicas that this test plays, under virtual time. */
class PartitionTest {
    private static final Path FOLDER = Path.of("/data/t-0");
    private static final TopicPartition NAME = new TopicPartition("t", 0);
    private static final TopicIdPartition ID = new TopicIdPartition(new Uuid(1, 1), NAME);
    private static final long MAX_LAG_MS = 30_000;
    private static final LagLimits LAG = new LagLimits(MAX_LAG_MS, MAX_LAG_MS);
    private static final Produce.Transaction TRANSACTION = new Produce.Transaction("tx", true);

    private final SimWorld world = new SimWorld(1);
    private final SimDisk disk = new SimDisk();
    private final Host host = world.host(disk);
    private final List<ShardMessage> submitted = new ArrayList<>();
    private final List<CompletableFuture<ErrorCode>> asked = new ArrayList<>();
    private final List<Forcing> forces = new ArrayList<>();
    private Contact contact = Contact.HELD;
    private final Partition partition = partition(2);

    private static Partition.PartitionSettings settings(int minInSync, boolean forced) {
        return new Partition.PartitionSettings(
                LogSettings.DEFAULTS, minInSync, forced, LAG, ThrottledReplicas.NONE, ThrottledReplicas.NONE);
    }

    private Partition partition(int minInSync) {
        PartitionLog log = PartitionLog.open(
                BareFolder.of(disk, FOLDER), LogSettings.DEFAULTS, LogCheckpoint.NONE, LastStop.CLEAN, world.nowMs());
        Loop<ShardMessage> loop = new Loop<>() {
            @Override
            public boolean submit(ShardMessage message) {
                return submitted.add(message);
            }

            @Override
            public void close() {}
        };
        Registrar registrar = (transaction, producerId, epoch, name) -> {
            CompletableFuture<ErrorCode> answer = new CompletableFuture<>();
            asked.add(answer);
            return answer;
        };
        Partition made = new Partition(
                ID,
                1,
                log,
                settings(minInSync, false),
                () -> new TransactionGate(NAME, registrar, loop),
                (self, forcing) -> forces.add(forcing),
                () -> contact,
                host.clock());
        made.follow(PartitionImage.created(0, List.of(1, 2), List.of(1, 2)));
        return made;
    }

    /** The other replica has everything below an offset. */
    private void replicated(Partition of, long offset) {
        of.fetched(new ReplicaFetched.Progress(ID, 0, 0, offset), 2, 1);
        of.settle();
    }

    private CompletableFuture<Produce.Reply> produce(boolean allReplicas, ByteBuffer batch, Produce.Transaction who) {
        CompletableFuture<Produce.Reply> reply = new CompletableFuture<>();
        partition.produce(new Produce(NAME, batch, allReplicas, 5_000, who, reply));
        partition.settle();
        return reply;
    }

    private void forceEnds() {
        Forcing forcing = forces.remove(0);
        forcing.run();
        partition.forced(forcing);
        partition.settle();
    }

    @Test
    void what_must_be_forced_is_acknowledged_when_it_is_and_one_force_serves_all_that_came_meanwhile() {
        partition.settings(settings(1, true));
        CompletableFuture<Produce.Reply> first = produce(false, plain(), null);
        CompletableFuture<Produce.Reply> second = produce(false, plain(), null);
        CompletableFuture<Produce.Reply> third = produce(false, plain(), null);
        assertThat(forces).hasSize(1);
        assertThat(first).isNotDone();

        forceEnds();
        assertThat(first).isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.NONE);
        assertThat(List.of(second, third)).noneMatch(CompletableFuture::isDone);
        assertThat(forces).hasSize(1);

        forceEnds();
        assertThat(List.of(second, third)).allMatch(CompletableFuture::isDone);
        assertThat(forces).isEmpty();
    }

    @Test
    void a_leader_that_hears_of_nobody_sends_producers_away_until_it_does() {
        CompletableFuture<Produce.Reply> waiting = produce(true, plain(), null);
        contact = Contact.LOST;
        partition.giveUpVainWaits();
        assertThat(waiting).as("its follower has asked a moment ago").isNotDone();

        world.runFor(MAX_LAG_MS + 1);
        contact = Contact.DOUBTFUL;
        partition.giveUpVainWaits();
        assertThat(waiting).as("there may be no other leader yet").isNotDone();

        contact = Contact.LOST;
        partition.giveUpVainWaits();
        assertThat(waiting).isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(produce(true, plain(), null))
                .isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.NOT_LEADER_OR_FOLLOWER);

        contact = Contact.HELD;
        CompletableFuture<Produce.Reply> again = produce(true, plain(), null);
        replicated(partition, 2);
        assertThat(again).isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.NONE);
    }

    @Test
    void a_checkpoint_that_ends_before_a_force_does_not_count_on_it() {
        partition.settings(settings(1, true));
        CompletableFuture<Produce.Reply> unused = produce(false, plain(), null);
        partition.log().checkpoint();
        disk.crash();
        assertThat(recovered().endOffset()).isEqualTo(1);
    }

    @Test
    void what_a_follower_was_forcing_when_it_cut_its_log_says_nothing_of_what_it_copies_afterwards() {
        partition.settings(settings(1, true));
        partition.follow(PartitionImage.created(0, List.of(2, 1), List.of(2, 1)));
        copy(0);
        Forcing early = forces.remove(0);
        early.run();
        partition.following().truncateTo(0);
        copy(0);

        partition.forced(early);
        partition.settle();
        assertThat(partition.readyToFetch())
                .as("the leader may count on what is here")
                .isFalse();

        forceEnds();
        assertThat(partition.readyToFetch()).isTrue();
        disk.crash();
        assertThat(recovered().endOffset()).isEqualTo(1);
    }

    private void copy(long offset) {
        ByteBuffer batch = plain();
        new RecordBatch().at(batch, 0).assign(offset, 0);
        partition.following().append(batch, 0, 0);
        partition.settle();
    }

    private PartitionLog recovered() {
        return PartitionLog.open(
                BareFolder.of(disk, FOLDER),
                LogSettings.DEFAULTS,
                LogCheckpoint.NONE,
                LastStop.POWER_CUT,
                world.nowMs());
    }

    private ByteBuffer plain() {
        return new BatchBuilder()
                .add(world.nowMs(), null, "value".getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private ByteBuffer transactional(int epoch, int sequence) {
        return new BatchBuilder()
                .producer(7, (short) epoch, sequence)
                .transactional()
                .add(world.nowMs(), null, "value".getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private void answer(int epoch, ErrorCode error) {
        partition.registered(new Registered(NAME, 7, (short) epoch, error));
        partition.settle();
    }

    @Test
    void acks_all_waits_for_every_in_sync_replica_and_acks_1_does_not() {
        CompletableFuture<Produce.Reply> all = produce(true, plain(), null);
        CompletableFuture<Produce.Reply> one = produce(false, plain(), null);

        assertThat(all).isNotDone();
        assertThat(one).isCompletedWithValueMatching(reply -> reply.baseOffset() == 1);
        assertThat(partition.view().highWatermark()).isZero();
        replicated(partition, 1);
        partition.settle();

        assertThat(all).isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.NONE);
        assertThat(partition.view().highWatermark()).isEqualTo(1);
    }

    @Test
    void a_replica_that_stays_silent_makes_acks_all_time_out() {
        CompletableFuture<Produce.Reply> all = produce(true, plain(), null);
        long deadlineMs = partition.takeDeadlineMs();
        assertThat(deadlineMs).isEqualTo(host.clock().monotonicMs() + 5_000);
        assertThat(partition.takeDeadlineMs()).as("told once").isEqualTo(Long.MAX_VALUE);

        world.runFor(5_000);
        partition.expireWaits();

        assertThat(all).isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.REQUEST_TIMED_OUT);
    }

    @Test
    void too_few_in_sync_replicas_refuse_acks_all_and_nothing_is_appended() {
        Partition strict = partition(3);
        CompletableFuture<Produce.Reply> reply = new CompletableFuture<>();

        strict.produce(new Produce(NAME, plain(), true, 5_000, null, reply));

        assertThat(reply).isCompletedWithValueMatching(it -> it.error() == ErrorCode.NOT_ENOUGH_REPLICAS);
        assertThat(strict.log().endOffset()).isZero();
    }

    @Test
    void the_first_batch_of_a_transaction_waits_for_its_coordinator_and_the_next_ones_queue_behind_it() {
        CompletableFuture<Produce.Reply> first = produce(false, transactional(0, 0), TRANSACTION);
        CompletableFuture<Produce.Reply> second = produce(false, transactional(0, 1), TRANSACTION);
        assertThat(asked).hasSize(1);
        assertThat(partition.log().endOffset()).isZero();

        answer(0, ErrorCode.NONE);

        assertThat(first).isCompletedWithValueMatching(reply -> reply.baseOffset() == 0);
        assertThat(second).isCompletedWithValueMatching(reply -> reply.baseOffset() == 1);
    }

    @Test
    void a_transaction_that_its_coordinator_does_not_know_writes_nothing() {
        CompletableFuture<Produce.Reply> reply = produce(false, transactional(0, 0), TRANSACTION);

        answer(0, ErrorCode.INVALID_TXN_STATE);

        assertThat(reply).isCompletedWithValueMatching(it -> it.error() == ErrorCode.INVALID_TXN_STATE);
        assertThat(partition.log().endOffset()).isZero();
    }

    @Test
    void an_end_that_overtakes_the_coordinators_answer_makes_it_void() {
        CompletableFuture<Produce.Reply> reply = produce(false, transactional(0, 0), TRANSACTION);
        CompletableFuture<ErrorCode> ended = new CompletableFuture<>();
        partition.endTransaction(new WriteMarker(NAME, new TransactionMarker(7, (short) 1, false, 0, true), ended));
        partition.settle();

        answer(0, ErrorCode.NONE);

        assertThat(reply).isCompletedWithValueMatching(it -> it.error() == ErrorCode.INVALID_TXN_STATE);
        assertThat(partition.log().openTransactions()).isEmpty();
    }

    @Test
    void the_end_of_the_transaction_before_does_not_stop_the_next_one() {
        CompletableFuture<Produce.Reply> next = produce(false, transactional(1, 0), TRANSACTION);
        CompletableFuture<ErrorCode> ended = new CompletableFuture<>();
        partition.endTransaction(new WriteMarker(NAME, new TransactionMarker(7, (short) 1, true, 0, true), ended));
        partition.settle();

        answer(1, ErrorCode.NONE);

        assertThat(next).isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.NONE);
        assertThat(partition.log().hasOpenTransaction(7, (short) 1)).isTrue();
    }

    @Test
    void a_failing_disk_takes_the_partition_offline_and_tells_everybody_who_waits() {
        CompletableFuture<Produce.Reply> waiting = produce(true, plain(), null);
        disk.broken(true);

        CompletableFuture<Produce.Reply> failed = produce(false, plain(), null);

        assertThat(failed).isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(waiting).isCompletedWithValueMatching(reply -> reply.error() == ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(partition.offline()).isTrue();
    }
}
