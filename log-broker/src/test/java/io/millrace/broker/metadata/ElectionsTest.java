package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.ControllerSteps.value;
import static io.millrace.broker.metadata.PartitionImage.NO_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ControllerCommand.ElectLeaders;
import io.millrace.broker.metadata.ControllerCommand.Elected;
import io.millrace.broker.metadata.ControllerCommand.SetBroker;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ElectionsTest {
    private static final Map<String, String> MIN_2 = Map.of("min.insync.replicas", "2");
    private static final Map<String, String> UNCLEAN = Map.of("unclean.leader.election.enable", "true");

    private final ControllerSteps cluster = ControllerSteps.withBrokers(4);

    @Test
    void the_first_replica_in_sync_and_active_leads() {
        cluster.topic("t", List.of(3, 1, 2));
        cluster.inSync("t", 3, 2);

        cluster.kill(3);

        assertThat(cluster.of("t").leader()).isEqualTo(2);
    }

    @Test
    void nobody_leads_when_the_last_one_in_sync_is_fenced() {
        cluster.topic("t", List.of(1, 2));
        cluster.inSync("t", 1);

        cluster.kill(1);

        assertThat(cluster.of("t").leader()).isEqualTo(NO_LEADER);
        assertThat(cluster.of("t").leaderEpoch()).isEqualTo(1);
        assertThat(cluster.of("t").inSync()).containsExactly(1);
    }

    @Test
    void only_the_last_one_in_sync_can_end_that() {
        cluster.topic("t", List.of(1, 2, 3));
        cluster.inSync("t", 1);
        cluster.kill(1);

        cluster.kill(2);
        cluster.beat(2);
        assertThat(cluster.of("t").leader()).isEqualTo(NO_LEADER);

        cluster.beat(1);
        assertThat(cluster.of("t").leader()).isEqualTo(1);
        assertThat(cluster.of("t").leaderEpoch()).isEqualTo(2);
    }

    @Test
    void an_eligible_replica_leads_when_nobody_in_sync_can_and_is_the_in_sync_set() {
        cluster.topic("t", MIN_2, List.of(1, 2, 3));
        cluster.kill(3);
        cluster.kill(2);
        assertThat(cluster.of("t").inSync()).containsExactly(1);
        assertThat(cluster.of("t").eligible()).containsExactly(2);

        cluster.beat(2);
        cluster.kill(1);

        assertThat(cluster.of("t").leader()).isEqualTo(2);
        assertThat(cluster.of("t").inSync()).containsExactly(2);
        assertThat(cluster.of("t").eligible())
                .as("it left with all that is committed")
                .containsExactly(1);
    }

    @Test
    void a_replica_that_lacks_records_leads_only_where_the_topic_allows_it() {
        cluster.topic("careful", List.of(1, 2));
        cluster.topic("careless", UNCLEAN, List.of(1, 2));
        cluster.inSync("careful", 1);
        cluster.inSync("careless", 1);

        cluster.kill(1);

        assertThat(cluster.of("careful").leader()).isEqualTo(NO_LEADER);
        assertThat(cluster.of("careless").leader()).isEqualTo(2);
        assertThat(cluster.of("careless").inSync()).containsExactly(2);
    }

    @Test
    void nobody_is_eligible_behind_an_unclean_leader() {
        cluster.topic(
                "t", Map.of("min.insync.replicas", "2", "unclean.leader.election.enable", "true"), List.of(1, 2, 3));
        cluster.kill(3);
        cluster.kill(2);
        cluster.restart(2, false);
        cluster.beat(3);
        assertThat(cluster.of("t").eligible()).isEmpty();

        cluster.kill(1);

        assertThat(cluster.of("t").leader()).isEqualTo(3);
        assertThat(cluster.of("t").eligible()).isEmpty();
    }

    @Test
    void allowing_unclean_elections_gives_a_leader_at_once() {
        cluster.topic("t", List.of(1, 2));
        cluster.inSync("t", 1);
        cluster.kill(1);

        cluster.set("t", UNCLEAN);

        assertThat(cluster.of("t").leader()).isEqualTo(2);
    }

    @Test
    void the_brokers_setting_is_the_default_of_the_topics() {
        cluster.topic("t", List.of(1, 2));
        cluster.inSync("t", 1);
        cluster.kill(1);

        value(cluster.<Outcome<Boolean>>ask(reply -> new SetBroker("", current -> UNCLEAN, false, reply)));

        assertThat(cluster.of("t").leader()).isEqualTo(2);
    }

    @Test
    void a_last_leader_that_may_have_lost_records_leads_again_when_it_is_back() {
        cluster.topic("t", List.of(1, 2));
        cluster.inSync("t", 1);
        cluster.restart(1, false);
        assertThat(cluster.of("t").lastLeader()).isEqualTo(1);

        cluster.beat(1);

        assertThat(cluster.of("t").leader()).isEqualTo(1);
        assertThat(cluster.of("t").inSync()).containsExactly(1);
        assertThat(cluster.of("t").lastLeader()).isEqualTo(NO_LEADER);
    }

    @Test
    void every_change_of_the_record_raises_its_epoch_and_only_a_change_of_leader_the_leaders() {
        cluster.topic("t", List.of(1, 2, 3));
        PartitionImage created = cluster.of("t");

        cluster.kill(3);
        assertThat(cluster.of("t").leaderEpoch()).isEqualTo(created.leaderEpoch());
        assertThat(cluster.of("t").partitionEpoch()).isEqualTo(created.partitionEpoch() + 1);

        cluster.kill(1);
        assertThat(cluster.of("t").leaderEpoch()).isEqualTo(created.leaderEpoch() + 1);
        assertThat(cluster.of("t").partitionEpoch()).isEqualTo(created.partitionEpoch() + 2);
    }

    @Test
    void nobody_is_eligible_any_more_when_the_in_sync_set_is_large_enough() {
        cluster.topic("t", MIN_2, List.of(1, 2, 3));
        cluster.inSync("t", 1);
        assertThat(cluster.of("t").eligible()).containsExactly(2, 3);

        cluster.inSync("t", 1, 3);

        assertThat(cluster.of("t").eligible()).isEmpty();
    }

    @Test
    void nobody_is_eligible_any_more_when_fewer_in_sync_are_enough() {
        cluster.topic("t", MIN_2, List.of(1, 2));
        cluster.inSync("t", 1);

        cluster.set("t", Map.of());

        assertThat(cluster.of("t").eligible()).isEmpty();
    }

    @Test
    void a_preferred_election_gives_the_first_replica_the_lead() {
        cluster.topic("t", List.of(1, 2));
        cluster.kill(1);
        cluster.beat(1);
        cluster.inSync("t", 1, 2);
        assertThat(cluster.of("t").leader()).isEqualTo(2);

        assertThat(value(elect(ElectionType.PREFERRED, "t")).leader()).isEqualTo(1);

        assertThat(cluster.of("t").leader()).isEqualTo(1);
        assertThat(elect(ElectionType.PREFERRED, "t").error()).isEqualTo(ErrorCode.ELECTION_NOT_NEEDED);
    }

    @Test
    void a_preferred_election_is_refused_while_the_first_replica_is_not_in_sync() {
        cluster.topic("t", List.of(1, 2));
        cluster.kill(1);
        cluster.beat(1);

        Outcome<PartitionImage> refused = elect(ElectionType.PREFERRED, "t");

        assertThat(refused.error()).isEqualTo(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE);
        assertThat(refused.message()).contains("broker 1").contains("[2]");
    }

    @Test
    void an_unclean_election_that_is_asked_for_needs_no_setting() {
        cluster.topic("t", List.of(1, 2));
        cluster.inSync("t", 1);
        assertThat(elect(ElectionType.UNCLEAN, "t").error()).isEqualTo(ErrorCode.ELECTION_NOT_NEEDED);
        cluster.kill(1);

        assertThat(value(elect(ElectionType.UNCLEAN, "t")).leader()).isEqualTo(2);
    }

    @Test
    void an_unclean_election_fails_when_all_replicas_are_fenced() {
        cluster.topic("t", List.of(1, 2));
        cluster.kill(1);
        cluster.kill(2);

        assertThat(elect(ElectionType.UNCLEAN, "t").error()).isEqualTo(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE);
    }

    @Test
    void an_election_for_all_tells_of_those_that_needed_one() {
        cluster.topic("led-as-preferred", List.of(2, 3));
        cluster.topic("t", List.of(1, 2), List.of(1, 3));
        cluster.kill(1);
        cluster.beat(1);
        cluster.inSync("t", 1, List.of(1, 3));

        List<Elected> elected = cluster.ask(reply -> new ElectLeaders(ElectionType.PREFERRED, null, reply));

        assertThat(elected)
                .extracting(Elected::partition)
                .containsExactly(new TopicPartition("t", 0), new TopicPartition("t", 1));
        assertThat(elected)
                .extracting(each -> each.outcome().error())
                .containsExactly(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE, ErrorCode.NONE);
    }

    @Test
    void an_election_for_a_partition_that_does_not_exist_is_refused() {
        assertThat(elect(ElectionType.PREFERRED, "nowhere").error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    private Outcome<PartitionImage> elect(ElectionType type, String topic) {
        List<TopicPartition> one = List.of(new TopicPartition(topic, 0));
        List<Elected> elected = cluster.ask(reply -> new ElectLeaders(type, one, reply));
        return elected.get(0).outcome();
    }
}
