package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.settings.BrokerSettings;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Members of a classic group come, go and fall silent, under virtual time. */
class GroupRebalanceTest {
    private static final long SEED = 7;
    private static final String GROUP = "g";

    private SimBroker broker = new SimBroker(SEED, Map.of(BrokerSettings.GROUP_INITIAL_REBALANCE_DELAY_MS, "0"));

    private GroupMember member() {
        return GroupMember.of(broker, GROUP);
    }

    /** Two members of a stable group; the first one leads. */
    private GroupMember[] stablePair() {
        GroupMember first = member().settleAlone();
        GroupMember second = member();
        CompletableFuture<JoinGroupResponseData> entering = second.enterLater();
        SimClientSteps.check(first.join().errorCode());
        SimClientSteps.check(broker.await("the second has joined", entering).errorCode());
        SimClientSteps.check(
                first.sync(Map.of(first.id(), "one", second.id(), "two")).errorCode());
        assertThat(second.assignment()).isEqualTo("two");
        return new GroupMember[] {first, second};
    }

    /** Lets time pass in which members beat as clients do. */
    private void beat(long durationMs, GroupMember... members) {
        for (long passed = 0; passed < durationMs; passed += 3_000) {
            broker.world.runFor(3_000);
            for (GroupMember member : members) {
                member.heartbeat();
            }
        }
    }

    @Test
    void a_new_member_is_told_its_id_before_it_may_join() {
        GroupMember member = member();

        JoinGroupResponseData told = member.join();
        JoinGroupResponseData joined = member.join();

        assertThat(Errors.forCode(told.errorCode())).isEqualTo(Errors.MEMBER_ID_REQUIRED);
        assertThat(told.memberId()).isNotEmpty();
        assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.NONE);
        assertThat(joined.memberId()).isEqualTo(told.memberId());
        assertThat(joined.generationId()).isEqualTo(1);
    }

    @Test
    void only_the_leader_is_given_the_members_and_its_assignment_reaches_all() {
        GroupMember first = member().settleAlone();
        GroupMember second = member();

        CompletableFuture<JoinGroupResponseData> entering = second.enterLater();
        JoinGroupResponseData ofFirst = first.join();
        JoinGroupResponseData ofSecond = broker.await("the second has joined", entering);
        CompletableFuture<SyncGroupResponseData> waiting = second.syncLater(Map.of());
        broker.world.runFor(1_000);
        boolean answeredBeforeTheLeader = waiting.isDone();
        SyncGroupResponseData shareOfFirst = first.sync(Map.of(first.id(), "one", second.id(), "two"));
        SyncGroupResponseData shareOfSecond = broker.await("the second has its share", waiting);

        assertThat(first.leads()).isTrue();
        assertThat(GroupMember.idsIn(ofFirst)).isEqualTo(Set.of(first.id(), second.id()));
        assertThat(ofSecond.members()).isEmpty();
        assertThat(ofSecond.generationId()).isEqualTo(ofFirst.generationId()).isEqualTo(2);
        assertThat(answeredBeforeTheLeader).isFalse();
        assertThat(shareOfFirst.assignment()).asString().isEqualTo("one");
        assertThat(shareOfSecond.assignment()).asString().isEqualTo("two");
        assertThat(first.heartbeat()).isEqualTo(Errors.NONE);
        assertThat(second.heartbeat()).isEqualTo(Errors.NONE);
    }

    @Test
    void a_member_that_comes_makes_the_others_join_again() {
        GroupMember first = member().settleAlone();
        GroupMember second = member();

        CompletableFuture<JoinGroupResponseData> entering = second.enterLater();
        broker.world.runFor(1_000);

        assertThat(entering.isDone()).isFalse();
        assertThat(first.heartbeat()).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
    }

    @Test
    void a_member_that_leaves_makes_the_others_join_again_and_is_forgotten() {
        GroupMember[] pair = stablePair();

        Errors left = pair[0].leave();
        Errors afterwards = pair[0].heartbeat();
        Errors ofOther = pair[1].heartbeat();
        JoinGroupResponseData joined = pair[1].join();

        assertThat(left).isEqualTo(Errors.NONE);
        assertThat(afterwards).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(ofOther).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        assertThat(pair[1].leads()).isTrue();
        assertThat(GroupMember.idsIn(joined)).containsExactly(pair[1].id());
    }

    @Test
    void a_silent_member_is_given_up_when_its_session_ends() {
        GroupMember[] pair = stablePair();

        beat(GroupMember.SESSION_MS - 2_000, pair[0]);
        Errors beforeTheEnd = pair[0].heartbeat();
        beat(4_000, pair[0]);

        assertThat(beforeTheEnd).isEqualTo(Errors.NONE);
        assertThat(pair[0].heartbeat()).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        assertThat(pair[1].heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(GroupMember.idsIn(pair[0].join())).containsExactly(pair[0].id());
    }

    @Test
    void a_member_that_beats_but_does_not_join_again_is_left_behind_when_the_rebalance_time_is_up() {
        GroupMember[] pair = stablePair();
        GroupMember third = member();

        CompletableFuture<JoinGroupResponseData> entering = third.enterLater();
        CompletableFuture<JoinGroupResponseData> again = pair[0].joinLater();
        beat(GroupMember.REBALANCE_MS - 3_000, pair[1]);
        boolean tooEarly = entering.isDone();
        beat(6_000, pair[1]);

        assertThat(tooEarly).isFalse();
        assertThat(GroupMember.idsIn(again.join())).isEqualTo(Set.of(pair[0].id(), third.id()));
        assertThat(entering.join().errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(pair[1].heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void a_leader_that_never_divides_the_work_is_dropped_and_another_leads() {
        GroupMember leader = member().settleAlone();
        GroupMember second = member();
        CompletableFuture<JoinGroupResponseData> entering = second.enterLater();
        leader.join();
        broker.await("the second has joined", entering);

        CompletableFuture<SyncGroupResponseData> waiting = second.syncLater(Map.of());
        beat(GroupMember.REBALANCE_MS + 3_000, leader);
        Errors told =
                Errors.forCode(broker.await("the second hears of it", waiting).errorCode());
        JoinGroupResponseData again = second.join();

        assertThat(told).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        assertThat(second.leads()).isTrue();
        assertThat(GroupMember.idsIn(again)).containsExactly(second.id());
        assertThat(leader.heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void a_new_group_waits_a_little_for_more_members_but_not_for_ever() {
        broker = new SimBroker(SEED, Map.of(BrokerSettings.GROUP_INITIAL_REBALANCE_DELAY_MS, "3000"));
        GroupMember first = member();

        CompletableFuture<JoinGroupResponseData> joined = first.enterLater();
        broker.world.runFor(2_000);
        boolean early = joined.isDone();
        for (int i = 0; i < 30; i++) {
            member().enterLater();
            broker.world.runFor(2_000);
        }

        assertThat(early).isFalse();
        assertThat(joined.isDone()).isTrue();
    }

    @Test
    void members_that_have_no_protocol_in_common_do_not_meet() {
        member().speaking("range", "sticky").settleAlone();

        Errors otherProtocol =
                Errors.forCode(member().speaking("cooperative").join().errorCode());
        Errors otherType = Errors.forCode(member().ofType("connect").join().errorCode());

        assertThat(otherProtocol).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL);
        assertThat(otherType).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL);
    }

    @Test
    void the_group_takes_the_protocol_that_everybody_speaks() {
        GroupMember first = member().speaking("new", "old").settleAlone();
        GroupMember second = member().speaking("old");

        CompletableFuture<JoinGroupResponseData> entering = second.enterLater();
        JoinGroupResponseData joined = first.join();

        assertThat(joined.protocolName()).isEqualTo("old");
        assertThat(broker.await("the second has joined", entering).protocolName())
                .isEqualTo("old");
    }

    @Test
    void a_full_group_takes_nobody_else_but_lets_its_own_join_again() {
        broker = new SimBroker(
                SEED, Map.of(BrokerSettings.GROUP_INITIAL_REBALANCE_DELAY_MS, "0", BrokerSettings.GROUP_MAX_SIZE, "1"));
        GroupMember first = member().settleAlone();

        Errors refused = Errors.forCode(member().join().errorCode());
        Errors again = Errors.forCode(first.join().errorCode());

        assertThat(refused).isEqualTo(Errors.GROUP_MAX_SIZE_REACHED);
        assertThat(again).isEqualTo(Errors.NONE);
    }

    @Test
    void an_old_generation_is_refused() {
        GroupMember[] pair = stablePair();

        assertThat(pair[1].heartbeat(1)).isEqualTo(Errors.ILLEGAL_GENERATION);
    }

    @Test
    void members_go_on_after_a_restart_as_if_nothing_had_happened() {
        GroupMember[] pair = stablePair();

        broker.killAndRestart();
        pair[0].reconnect();
        pair[1].reconnect();

        assertThat(pair[0].heartbeat()).isEqualTo(Errors.NONE);
        assertThat(pair[1].heartbeat()).isEqualTo(Errors.NONE);
        assertThat(pair[1].assignment()).isEqualTo("two");
        broker.world.runFor(GroupMember.SESSION_MS + 1_000);
        assertThat(pair[0].heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void a_member_whose_connection_breaks_while_it_waits_does_not_hold_up_the_group() {
        GroupMember first = member().settleAlone();
        GroupMember lost = member();
        lost.enterLater();
        broker.world.runFor(100);
        lost.disconnect();

        first.join();
        SimClientSteps.check(
                first.sync(Map.of(first.id(), "one", lost.id(), "two")).errorCode());
        beat(GroupMember.SESSION_MS + 3_000, first);

        assertThat(GroupMember.idsIn(first.join())).containsExactly(first.id());
    }
}
