package io.millrace.broker.quorum;

import static io.millrace.broker.quorum.QuorumCluster.PATIENCE;
import static io.millrace.broker.quorum.QuorumCluster.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who leads when a leader, its network or a majority goes. */
class RatisElectionTest extends QuorumTest {
    @Test
    void another_voter_leads_when_the_leader_stops_and_nothing_committed_is_lost() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember first = cluster.leader();
        first.putNumbers(1, 20);
        cluster.awaitAll("key-20", "value-20");
        long firstTerm = first.leadingTerm();

        cluster.stop(first.id());
        QuorumMember second = cluster.leader();
        second.put("after", "it");
        cluster.awaitAll("after", "it");

        assertThat(second.leadingTerm()).isGreaterThan(firstTerm);
        assertThat(cluster.members())
                .allSatisfy(member -> assertThat(member.state()).hasSize(21).containsEntry("key-1", "value-1"));
    }

    @Test
    void voters_elect_a_leader_although_the_connections_between_them_have_gone_silent() {
        cluster(3, SETTINGS);
        cluster.startAllBehindRelays();
        IntStream.rangeClosed(1, 3).forEach(cluster::handOverTo); // so everybody is connected with everybody

        cluster.stall();
        cluster.stop(3);
        cluster.leader().put("after", "it");

        cluster.awaitAll("after", "it");
    }

    @Test
    void a_leader_that_resigns_lives_on_while_another_voter_leads() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember first = cluster.leader();

        first.quorum().resign().join();
        await().atMost(PATIENCE).until(() -> !first.leads());
        QuorumMember second = cluster.leader();
        second.put("after", "it");
        cluster.awaitAll("after", "it");

        assertThat(second).isNotSameAs(first);
        assertThat(first.quorum().resign()).as("does not lead").isCompleted();
    }

    @Test
    void a_leader_holds_a_majority_as_long_as_it_hears_of_enough_voters() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        List<Integer> others = cluster.members().stream()
                .map(QuorumMember::id)
                .filter(id -> id != leader.id())
                .toList();
        await().atMost(PATIENCE).until(leader.quorum()::holdsMajority);
        assertThat(others).noneMatch(id -> cluster.member(id).quorum().holdsMajority());

        cluster.stop(others.get(0));
        leader.put("with", "one other");
        cluster.awaitAll("with", "one other");
        await().atMost(PATIENCE).until(leader.quorum()::holdsMajority);

        cluster.stop(others.get(1));
        await().atMost(PATIENCE).until(() -> !leader.quorum().holdsMajority());
    }

    /** The leader lives on here, so nothing but the news makes the others elect another one. */
    @Test
    void when_voters_hear_that_the_leader_is_dead_one_of_them_leads_without_having_missed_it() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.put("before", "1");
        cluster.awaitAll("before", "1");
        long term = leader.leadingTerm();

        List<QuorumMember> others =
                cluster.members().stream().filter(member -> member != leader).toList();
        others.forEach(member -> member.hearOfDeath(leader.id()));
        await().atMost(PATIENCE).until(() -> others.stream().anyMatch(QuorumMember::leads));

        QuorumMember next = cluster.leader();
        assertThat(next.leadingTerm()).isGreaterThan(term);
        next.put("after", "2");
        cluster.awaitAll("after", "2");
    }

    /** As where it is down itself, or where its log is behind; the leader lives on here, too. */
    @Test
    void the_next_voter_leads_where_the_first_of_those_left_does_not_come_forward() {
        cluster(3, SETTINGS);
        cluster.startAll();
        cluster.handOverTo(1);

        cluster.member(3).hearOfDeath(1);
        await().atMost(PATIENCE).until(() -> cluster.member(3).leads());

        cluster.leader().put("after", "it");
        cluster.awaitAll("after", "it");
    }

    @Test
    void the_death_of_a_node_that_does_not_lead_moves_nothing() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        long term = leader.leadingTerm();

        cluster.members()
                .forEach(member -> cluster.members().stream()
                        .filter(other -> other != leader)
                        .forEach(other -> member.hearOfDeath(other.id())));
        leader.put("after", "1");
        cluster.awaitAll("after", "1");

        assertThat(leader.leadingTerm()).isEqualTo(term);
    }

    @Test
    void a_leader_without_a_majority_stops_leading_and_another_term_follows() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        long term = leader.leadingTerm();
        List<Integer> others = cluster.members().stream()
                .map(QuorumMember::id)
                .filter(id -> id != leader.id())
                .toList();

        others.forEach(cluster::stop);
        await().atMost(PATIENCE).until(() -> !leader.leads());
        others.forEach(cluster::start);

        assertThat(cluster.leader().leadingTerm()).isGreaterThan(term);
    }
}
