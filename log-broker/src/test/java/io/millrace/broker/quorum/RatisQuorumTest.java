package io.millrace.broker.quorum;

import static io.millrace.broker.quorum.QuorumCluster.PATIENCE;
import static io.millrace.broker.quorum.QuorumCluster.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.metadata.MetadataQuorum.Description;
import io.millrace.broker.metadata.MetadataQuorum.Member;
import io.millrace.broker.metadata.MetadataQuorum.Origin;
import io.millrace.broker.quorum.QuorumMember.Told;
import io.millrace.kernel.NetworkException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RatisQuorumTest extends QuorumTest {
    @Test
    void one_of_three_voters_leads_and_all_hear_of_the_same_units_in_one_order() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        long term = leader.leadingTerm();

        leader.put("a", "1");
        leader.put("b", "2");
        leader.put("a", null);
        leader.put("c", "3");
        cluster.awaitAll("c", "3");

        assertThat(cluster.members()).filteredOn(QuorumMember::leads).containsExactly(leader);
        List<Told> told = leader.told();
        assertThat(told).extracting(Told::position).isSorted().doesNotHaveDuplicates();
        assertThat(told.subList(told.size() - 4, told.size()))
                .extracting(Told::origin)
                .containsExactly(new Origin(term, 1), new Origin(term, 2), new Origin(term, 3), new Origin(term, 4));
        assertThat(cluster.members()).allSatisfy(member -> {
            assertThat(member.told()).isEqualTo(told);
            assertThat(member.state()).isEqualTo(Map.of("b", "2", "c", "3"));
        });
    }

    @Test
    void a_unit_of_another_term_or_one_behind_a_gap_is_skipped_everywhere_and_the_leadership_goes_on() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();

        leader.proposeAs(leader.leadingTerm() - 1, 1, "of-an-ended-term");
        leader.proposeAs(leader.leadingTerm(), 7, "behind-a-gap");
        leader.put("good", "1");
        cluster.awaitAll("good", "1");

        assertThat(leader.leads()).isTrue();
        assertThat(cluster.members())
                .allSatisfy(member -> assertThat(member.state()).isEqualTo(Map.of("good", "1")));
    }

    @Test
    void thousands_of_proposals_without_waiting_are_committed_in_their_order() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        long term = leader.leadingTerm();

        leader.putNumbers(1, 5000);
        cluster.awaitAll("key-5000", "value-5000");

        List<Origin> expected = IntStream.rangeClosed(1, 5000)
                .mapToObj(i -> new Origin(term, i))
                .toList();
        assertThat(cluster.members())
                .allSatisfy(member -> assertThat(member.told())
                        .extracting(Told::origin)
                        .filteredOn(origin -> origin.number() > 0)
                        .isEqualTo(expected));
    }

    @Test
    void a_leader_describes_how_far_each_has_come_and_others_only_themselves() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.put("a", "1");
        cluster.awaitAll("a", "1");

        await().atMost(PATIENCE).untilAsserted(() -> {
            Description seen = leader.quorum().describe();
            assertThat(seen.leader()).isEqualTo(leader.id());
            assertThat(seen.voters()).extracting(Member::node).containsExactly(1, 2, 3);
            assertThat(seen.voters()).allSatisfy(voter -> {
                assertThat(voter.endOffset()).isGreaterThanOrEqualTo(seen.highWatermark());
                assertThat(voter.lastCaughtUpMs()).isPositive();
            });
        });
        QuorumMember other = cluster.members().stream()
                .filter(member -> !member.leads())
                .findFirst()
                .orElseThrow();
        assertThat(other.quorum().describe().voters())
                .filteredOn(voter -> voter.endOffset() >= 0)
                .extracting(Member::node)
                .containsExactly(other.id());
    }

    @Test
    void a_taken_port_is_told_when_the_quorum_is_opened() {
        cluster(1, SETTINGS);
        cluster.startAll();

        assertThatThrownBy(() -> new QuorumMember(
                        cluster.host().host(), cluster.membership(1), SETTINGS, folder.resolve("twin"), List.of()))
                .isInstanceOf(NetworkException.class)
                .hasMessageContaining("1@127.0.0.1:");
    }
}
