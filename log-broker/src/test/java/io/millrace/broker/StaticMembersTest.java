package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.settings.BrokerSettings;
import java.util.Map;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Members with a name of their own that outlives their process (KIP-345, KIP-814). */
class StaticMembersTest {
    private final SimBroker broker = new SimBroker(7, Map.of(BrokerSettings.GROUP_INITIAL_REBALANCE_DELAY_MS, "0"));

    private GroupMember member(String instance) {
        return GroupMember.withInstance(broker, "g", instance);
    }

    @Test
    void a_static_member_joins_without_asking_for_an_id() {
        JoinGroupResponseData joined = member("a").join();

        assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.NONE);
        assertThat(joined.memberId()).startsWith("a-");
        assertThat(joined.members().get(0).groupInstanceId()).isEqualTo("a");
    }

    @Test
    void a_new_life_takes_the_place_of_the_old_one_without_a_rebalance() {
        GroupMember old = member("a").settleAlone();

        GroupMember reborn = member("a");
        JoinGroupResponseData joined = reborn.join();

        assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.NONE);
        assertThat(joined.generationId()).isEqualTo(old.generation());
        assertThat(reborn.id()).isNotEqualTo(old.id());
        assertThat(joined.skipAssignment()).isTrue();
        assertThat(joined.leader()).isEqualTo(reborn.id());
        assertThat(reborn.assignment()).isEqualTo("everything");
        assertThat(reborn.heartbeat()).isEqualTo(Errors.NONE);
    }

    @Test
    void the_old_life_is_fenced() {
        GroupMember old = member("a").settleAlone();
        member("a").join();

        assertThat(old.heartbeat()).isEqualTo(Errors.FENCED_INSTANCE_ID);
        assertThat(Errors.forCode(old.sync(Map.of()).errorCode())).isEqualTo(Errors.FENCED_INSTANCE_ID);
        assertThat(Errors.forCode(old.join().errorCode())).isEqualTo(Errors.FENCED_INSTANCE_ID);
        assertThat(old.leave()).isEqualTo(Errors.FENCED_INSTANCE_ID);
    }

    @Test
    void a_replaced_member_is_still_known_after_a_restart() {
        member("a").settleAlone();
        GroupMember reborn = member("a");
        reborn.join();

        broker.killAndRestart();
        reborn.reconnect();

        assertThat(reborn.heartbeat()).isEqualTo(Errors.NONE);
        assertThat(reborn.assignment()).isEqualTo("everything");
    }

    @Test
    void a_new_life_that_wants_something_else_begins_a_rebalance() {
        GroupMember old = member("a").reading("t").settleAlone();

        GroupMember reborn = member("a").reading("t", "other");
        JoinGroupResponseData joined = reborn.join();

        assertThat(joined.generationId()).isEqualTo(old.generation() + 1);
        assertThat(joined.skipAssignment()).isFalse();
        assertThat(GroupMember.idsIn(joined)).containsExactly(reborn.id());
    }

    @Test
    void a_new_life_that_only_forgot_what_it_had_does_not() {
        GroupMember old = member("a").saying("what it had").settleAlone();

        GroupMember reborn = member("a").saying("nothing");

        assertThat(reborn.join().generationId()).isEqualTo(old.generation());
    }

    @Test
    void a_static_member_that_is_away_for_less_than_its_session_keeps_its_place() {
        GroupMember away = member("a").settleAlone();

        broker.world.runFor(GroupMember.SESSION_MS - 1_000);
        Errors stillThere = away.heartbeat();
        broker.world.runFor(GroupMember.SESSION_MS + 1_000);

        assertThat(stillThere).isEqualTo(Errors.NONE);
        assertThat(away.heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }
}
