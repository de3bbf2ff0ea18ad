package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Calls.Sender;
import io.millrace.broker.settings.BrokerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** What users of such systems have suffered from, replayed under virtual time; each test is named by its symptom. */
class TransactionSymptomsTest {
    private static final int TIMEOUT_MS = 60_000;
    private static final long SEED = 42;

    private final SimBroker broker = new SimBroker(SEED, Map.of(BrokerSettings.PRODUCER_EPOCH_LIMIT, "4"));
    private final SimClientSteps steps = new SimClientSteps(broker.client());

    @Test
    void a_produce_that_lands_after_the_end_of_its_transaction_does_not_stop_readers_for_ever() {
        steps.createTopic("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        Sender first = new Sender(producer.producerId(), producer.producerEpoch(), 0);
        Sender late = new Sender(producer.producerId(), producer.producerEpoch(), 1);
        SimClientSteps.check(steps.produce("t", "tx", first, "one").errorCode());
        SimClientSteps.check(steps.produce("t", "tx", late, "two").errorCode());
        SimClientSteps.check(steps.end("tx", producer.producerId(), producer.producerEpoch(), true)
                .errorCode());
        broker.world.runFor(1_000);

        Sender afterwards = new Sender(producer.producerId(), producer.producerEpoch(), 2);
        short refused = steps.produce("t", "tx", afterwards, "late").errorCode();

        assertThat(Errors.forCode(refused)).isIn(Errors.INVALID_PRODUCER_EPOCH, Errors.PRODUCER_FENCED);
        assertThat(steps.endOffset("t", IsolationLevel.READ_COMMITTED))
                .isEqualTo(steps.endOffset("t", IsolationLevel.READ_UNCOMMITTED));
        SimClientSteps.check(steps.produce("t", null, Sender.NOBODY, "plain").errorCode());
        assertThat(steps.committedValues("t")).containsExactly("one", "two", "plain");
    }

    @Test
    void a_delayed_commit_never_lands_on_the_next_transaction() {
        steps.createTopic("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        long id = producer.producerId();
        SimClientSteps.check(
                steps.produce("t", "tx", new Sender(id, 0, 0), "first").errorCode());
        EndTxnResponseData committed = steps.end("tx", id, 0, true);
        SimClientSteps.check(committed.errorCode());
        int epoch = committed.producerEpoch();
        SimClientSteps.check(
                steps.produce("t", "tx", new Sender(id, epoch, 0), "second").errorCode());

        SimClientSteps otherConnection = new SimClientSteps(broker.client());
        EndTxnResponseData replayed = otherConnection.end("tx", id, 0, true);
        EndTxnResponseData aborted = steps.end("tx", id, epoch, false);
        broker.world.runFor(1_000);

        assertThat(Errors.forCode(replayed.errorCode())).isEqualTo(Errors.PRODUCER_FENCED);
        SimClientSteps.check(aborted.errorCode());
        assertThat(steps.committedValues("t")).containsExactly("first");
    }

    @Test
    void a_timed_out_producer_may_abort_and_go_on_while_a_replaced_one_is_finished() {
        steps.createTopic("t", 1);
        InitProducerIdResponseData slow = steps.init("slow", 5_000);
        long id = slow.producerId();
        SimClientSteps.check(
                steps.produce("t", "slow", new Sender(id, 0, 0), "too slow").errorCode());
        broker.world.runFor(10_000);

        assertThat(Errors.forCode(steps.end("slow", id, 0, true).errorCode())).isEqualTo(Errors.TRANSACTION_ABORTABLE);
        EndTxnResponseData aborted = steps.end("slow", id, 0, false);
        SimClientSteps.check(aborted.errorCode());
        SimClientSteps.check(steps.produce("t", "slow", new Sender(id, aborted.producerEpoch(), 0), "again")
                .errorCode());
        SimClientSteps.check(
                steps.end("slow", id, aborted.producerEpoch(), true).errorCode());

        InitProducerIdResponseData old = steps.init("replaced", TIMEOUT_MS);
        steps.init("replaced", TIMEOUT_MS);
        Errors produced = Errors.forCode(
                steps.produce("t", "replaced", new Sender(old.producerId(), old.producerEpoch(), 0), "zombie")
                        .errorCode());
        assertThat(produced).isEqualTo(Errors.PRODUCER_FENCED);
        assertThat(Errors.forCode(steps.end("replaced", old.producerId(), old.producerEpoch(), false)
                        .errorCode()))
                .isEqualTo(Errors.PRODUCER_FENCED);
        broker.world.runFor(1_000);
        assertThat(steps.committedValues("t")).containsExactly("again");
    }

    @Test
    void transactions_back_to_back_never_hear_that_the_last_one_is_still_completing() {
        steps.createTopic("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        long id = producer.producerId();
        int epoch = producer.producerEpoch();
        for (int i = 0; i < 300; i++) {
            SimClientSteps.check(steps.produce("t", "tx", new Sender(id, epoch, 0), "value " + i)
                    .errorCode());
            EndTxnResponseData ended = steps.end("tx", id, epoch, true);
            SimClientSteps.check(ended.errorCode());
            id = ended.producerId();
            epoch = ended.producerEpoch();
        }
        broker.world.runFor(1_000);

        assertThat(steps.committedValues("t")).hasSize(300);
    }

    @Test
    void a_topic_deleted_in_mid_transaction_ends_the_wait_for_its_markers() {
        steps.createTopic("doomed", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        long id = producer.producerId();
        SimClientSteps.check(
                steps.produce("doomed", "tx", new Sender(id, 0, 0), "gone").errorCode());
        DeleteTopicsRequestData delete = new DeleteTopicsRequestData().setTimeoutMs(TIMEOUT_MS);
        delete.topics().add(new DeleteTopicState().setName("doomed"));
        broker.client().call(delete, 6, DeleteTopicsResponseData.class);

        SimClientSteps.check(steps.end("tx", id, 0, true).errorCode());
        InitProducerIdResponseData next = steps.init("tx", TIMEOUT_MS);

        assertThat(Errors.forCode(next.errorCode())).isEqualTo(Errors.NONE);
    }

    @Test
    void used_up_epochs_are_not_noticed_by_the_producer() {
        steps.createTopic("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        long id = producer.producerId();
        int epoch = producer.producerEpoch();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            sent.add("value " + i);
            SimClientSteps.check(steps.produce("t", "tx", new Sender(id, epoch, 0), "value " + i)
                    .errorCode());
            EndTxnResponseData ended = steps.end("tx", id, epoch, true);
            SimClientSteps.check(ended.errorCode());
            id = ended.producerId();
            epoch = ended.producerEpoch();
        }
        broker.world.runFor(1_000);

        assertThat(steps.committedValues("t")).isEqualTo(sent);
    }

    @Test
    void a_broker_killed_before_the_markers_are_written_completes_the_transaction_after_its_restart() {
        steps.createTopic("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        long id = producer.producerId();
        SimClientSteps.check(
                steps.produce("t", "tx", new Sender(id, 0, 0), "kept").errorCode());
        SimBroker.Client impatient = broker.client();
        CompletableFuture<EndTxnResponseData> answer =
                impatient.send(Calls.end("tx", id, 0, true), Calls.END_TXN, EndTxnResponseData.class);
        broker.await("the commit is acknowledged", answer);

        broker.killAndRestart();
        SimClientSteps after = new SimClientSteps(broker.client());

        assertThat(broker.world.runUntil(
                        () -> after.endOffset("t", IsolationLevel.READ_COMMITTED)
                                == after.endOffset("t", IsolationLevel.READ_UNCOMMITTED),
                        5_000))
                .isTrue();
        assertThat(after.committedValues("t")).containsExactly("kept");
    }

    @Test
    void a_transaction_that_a_power_cut_took_from_its_coordinator_does_not_hang_on_its_partition() {
        steps.createTopic("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        broker.world.runFor(120_000); // what exists so far is on disk
        forceEveryRecordOf("t");
        SimClientSteps.check(steps.produce("t", "tx", new Sender(producer.producerId(), 0, 0), "orphan")
                .errorCode());

        broker.powerCutAndRestart();
        SimClientSteps after = new SimClientSteps(broker.client());
        assertThat(after.endOffset("t", IsolationLevel.READ_UNCOMMITTED)).isEqualTo(1);
        assertThat(after.endOffset("t", IsolationLevel.READ_COMMITTED)).isZero();
        broker.world.runFor(1_200_000);

        assertThat(after.endOffset("t", IsolationLevel.READ_COMMITTED)).isEqualTo(2);
        assertThat(after.committedValues("t")).isEmpty();
    }

    private void forceEveryRecordOf(String topic) {
        IncrementalAlterConfigsRequestData change = new IncrementalAlterConfigsRequestData();
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType((byte) 2).setResourceName(topic);
        resource.configs()
                .add(new AlterableConfig()
                        .setName("flush.policy")
                        .setConfigOperation((byte) 0)
                        .setValue("force"));
        change.resources().add(resource);
        broker.client().call(change, 1, IncrementalAlterConfigsResponseData.class);
    }

    @Test
    void any_of_the_last_five_batches_may_be_repeated_and_a_gap_is_refused() {
        steps.createTopic("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        long id = 1_000_000 + producer.producerId(); // an idempotent producer without transactions
        for (int sequence = 0; sequence <= 5; sequence++) {
            SimClientSteps.check(steps.produce("t", null, new Sender(id, 0, sequence), "value " + sequence)
                    .errorCode());
        }

        var once = steps.produce("t", null, new Sender(id, 0, 1), "value 1");
        broker.killAndRestart();
        SimClientSteps after = new SimClientSteps(broker.client());
        var twice = after.produce("t", null, new Sender(id, 0, 1), "value 1");
        var gap = after.produce("t", null, new Sender(id, 0, 9), "value 9");

        assertThat(Errors.forCode(once.errorCode())).isEqualTo(Errors.NONE);
        assertThat(once.baseOffset()).isEqualTo(1);
        assertThat(Errors.forCode(twice.errorCode())).isEqualTo(Errors.NONE);
        assertThat(twice.baseOffset()).isEqualTo(1);
        assertThat(Errors.forCode(gap.errorCode())).isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(after.endOffset("t", IsolationLevel.READ_UNCOMMITTED)).isEqualTo(6);
    }
}
