package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.settings.BrokerSettings;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may commit positions, how long they are kept, and what becomes of them in a transaction. */
class GroupOffsetsTest {
    private static final int TIMEOUT_MS = 60_000;

    private final SimBroker broker = new SimBroker(
            7,
            Map.of(
                    BrokerSettings.GROUP_INITIAL_REBALANCE_DELAY_MS, "0",
                    BrokerSettings.OFFSETS_RETENTION_MINUTES, "60"));
    private SimClientSteps steps = new SimClientSteps(broker.client());
    private OffsetSteps offsets = new OffsetSteps(broker.client(), "g");

    @BeforeEach
    void createTopics() {
        steps.createTopic("t", 1);
        steps.createTopic("other", 1);
    }

    private void restart() {
        broker.killAndRestart();
        steps = new SimClientSteps(broker.client());
        offsets = new OffsetSteps(broker.client(), "g");
    }

    /** Ends a transaction and lets the news of it reach the group. */
    private void end(String id, InitProducerIdResponseData producer, boolean commit) {
        SimClientSteps.check(steps.end(id, producer.producerId(), producer.producerEpoch(), commit)
                .errorCode());
        broker.world.runFor(1_000);
    }

    @Test
    void only_a_member_of_this_generation_may_commit_while_the_group_has_members() {
        GroupMember member = GroupMember.of(broker, "g").settleAlone();

        assertThat(offsets.commit("somebody", member.generation(), "t", 1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(offsets.commit(member.id(), member.generation() - 1, "t", 2)).isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(offsets.commit("t", 3)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(offsets.committed("t")).isEqualTo(-1);
        assertThat(offsets.commit(member.id(), member.generation(), "t", 4)).isEqualTo(Errors.NONE);
        assertThat(offsets.committed("t")).isEqualTo(4);
    }

    @Test
    void an_outsider_may_commit_for_a_group_without_members_and_a_claimed_generation_is_refused() {
        assertThat(offsets.commit("t", 5)).isEqualTo(Errors.NONE);
        assertThat(offsets.commit("somebody", 3, "t", 6)).isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(offsets.committed("t")).isEqualTo(5);
    }

    @Test
    void a_commit_keeps_the_session_of_a_member_alive() {
        GroupMember member = GroupMember.of(broker, "g").settleAlone();

        for (int i = 0; i < 5; i++) {
            broker.world.runFor(GroupMember.SESSION_MS - 1_000);
            assertThat(offsets.commit(member.id(), member.generation(), "t", i)).isEqualTo(Errors.NONE);
        }

        assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    }

    @Test
    void a_commit_while_the_work_is_being_divided_is_told_to_come_later() {
        GroupMember member = GroupMember.of(broker, "g");
        member.enter();

        assertThat(offsets.commit(member.id(), member.generation(), "t", 1)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
    }

    @Test
    void a_member_may_still_commit_while_the_others_are_coming_together() {
        GroupMember member = GroupMember.of(broker, "g").settleAlone();
        CompletableFuture<JoinGroupResponseData> entering =
                GroupMember.of(broker, "g").enterLater();
        broker.world.runFor(100);

        Errors committed = offsets.commit(member.id(), member.generation(), "t", 7);

        assertThat(entering.isDone()).isFalse();
        assertThat(committed).isEqualTo(Errors.NONE);
        assertThat(offsets.committed("t")).isEqualTo(7);
    }

    @Test
    void in_a_transaction_a_replaced_member_is_refused_and_somebody_who_is_no_member_is_not() {
        GroupMember member = GroupMember.of(broker, "g").settleAlone();
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);

        Errors wrongMember = offsets.commitInTransaction("tx", producer, "somebody", member.generation(), "t", 1);
        Errors oldGeneration =
                offsets.commitInTransaction("tx", producer, member.id(), member.generation() - 1, "t", 2);
        Errors outsider = offsets.commitInTransaction("tx", producer, "", -1, "t", 3);

        assertThat(wrongMember).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(oldGeneration).isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(outsider).isEqualTo(Errors.NONE);
    }

    @Test
    void offsets_of_a_transaction_count_when_it_commits_and_not_before() {
        offsets.commit("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        assertThat(offsets.commitInTransaction("tx", producer, "", -1, "t", 2)).isEqualTo(Errors.NONE);

        long open = offsets.committed("t");
        Errors stableWhileOpen = offsets.stability("t");
        end("tx", producer, true);

        assertThat(open).isEqualTo(1);
        assertThat(stableWhileOpen).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
        assertThat(offsets.stability("t")).isEqualTo(Errors.NONE);
        assertThat(offsets.committed("t")).isEqualTo(2);
    }

    @Test
    void offsets_of_an_aborted_transaction_are_as_if_never_sent() {
        offsets.commit("t", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        offsets.commitInTransaction("tx", producer, "", -1, "t", 2);

        end("tx", producer, false);

        assertThat(offsets.stability("t")).isEqualTo(Errors.NONE);
        assertThat(offsets.committed("t")).isEqualTo(1);
    }

    @Test
    void offsets_and_those_of_an_open_transaction_survive_the_death_of_the_broker() {
        offsets.commit("t", 1);
        offsets.commit("other", 10);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        offsets.commitInTransaction("tx", producer, "", -1, "t", 2);

        restart();
        long whileOpen = offsets.committed("t");
        Errors stability = offsets.stability("t");
        end("tx", producer, true);

        assertThat(whileOpen).isEqualTo(1);
        assertThat(stability).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
        assertThat(offsets.committed("t")).isEqualTo(2);
        assertThat(offsets.committed("other")).isEqualTo(10);
    }

    @Test
    void a_group_with_members_cannot_be_deleted_and_an_empty_one_is_gone_with_its_offsets() {
        GroupMember member = GroupMember.of(broker, "g").settleAlone();
        offsets.commit(member.id(), member.generation(), "t", 1);

        Errors withMembers = offsets.deleteGroup();
        member.leave();
        Errors empty = offsets.deleteGroup();
        restart();

        assertThat(withMembers).isEqualTo(Errors.NON_EMPTY_GROUP);
        assertThat(empty).isEqualTo(Errors.NONE);
        assertThat(offsets.committed("t")).isEqualTo(-1);
        assertThat(offsets.deleteGroup()).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
    }

    @Test
    void a_deleted_group_does_not_come_back_with_the_end_of_a_transaction() {
        offsets.commit("other", 1);
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        offsets.commitInTransaction("tx", producer, "", -1, "t", 2);

        Errors deleted = offsets.deleteGroup();
        end("tx", producer, true);

        assertThat(deleted).isEqualTo(Errors.NONE);
        assertThat(offsets.committed("t")).isEqualTo(-1);
    }

    @Test
    void the_offset_of_a_topic_that_members_read_cannot_be_deleted() {
        GroupMember member = GroupMember.of(broker, "g").reading("t").settleAlone();
        offsets.commit(member.id(), member.generation(), "t", 1);
        offsets.commit(member.id(), member.generation(), "other", 2);

        assertThat(offsets.deleteOffset("t")).isEqualTo(Errors.GROUP_SUBSCRIBED_TO_TOPIC);
        assertThat(offsets.deleteOffset("other")).isEqualTo(Errors.NONE);
        assertThat(offsets.committed("t")).isEqualTo(1);
        assertThat(offsets.committed("other")).isEqualTo(-1);
    }

    @Test
    void the_offsets_of_a_deleted_topic_do_not_wait_for_the_next_topic_of_its_name() {
        offsets.commit("t", 1);
        offsets.commit("other", 2);

        offsets.deleteTopic("t");
        steps.createTopic("t", 1);
        broker.world.runFor(1_000);

        assertThat(offsets.committed("t")).isEqualTo(-1);
        assertThat(offsets.committed("other")).isEqualTo(2);
    }

    @Test
    void an_offset_that_a_transaction_is_about_to_commit_goes_with_its_topic() {
        InitProducerIdResponseData producer = steps.init("tx", TIMEOUT_MS);
        offsets.commitInTransaction("tx", producer, "", -1, "t", 2);

        offsets.deleteTopic("t");
        broker.world.runFor(1_000);
        steps.createTopic("t", 1);
        end("tx", producer, true);

        assertThat(offsets.committed("t")).isEqualTo(-1);
    }

    @Test
    void an_empty_group_keeps_its_offsets_for_as_long_as_is_set_and_one_with_members_for_ever() {
        offsets.commit("t", 1);
        OffsetSteps alive = new OffsetSteps(broker.client(), "alive");
        GroupMember member = GroupMember.of(broker, "alive").settleAlone();
        alive.commit(member.id(), member.generation(), "t", 2);

        passMinutes(45, member);
        long before = offsets.committed("t");
        passMinutes(45, member);

        assertThat(before).isEqualTo(1);
        assertThat(offsets.committed("t")).isEqualTo(-1);
        assertThat(offsets.deleteGroup()).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
        assertThat(alive.committed("t")).isEqualTo(2);
    }

    private void passMinutes(int minutes, GroupMember member) {
        for (int i = 0; i < minutes * 10; i++) {
            broker.world.runFor(6_000);
            assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
        }
    }
}
