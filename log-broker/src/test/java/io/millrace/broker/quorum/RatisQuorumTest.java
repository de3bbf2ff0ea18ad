package io.millrace.broker.quorum;

import static io.millrace.broker.quorum.QuorumCluster.PATIENCE;
import static io.millrace.broker.quorum.QuorumCluster.SETTINGS;
import static io.millrace.broker.quorum.QuorumMember.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.metadata.MetadataQuorum.Description;
import io.millrace.broker.metadata.MetadataQuorum.Member;
import io.millrace.broker.metadata.MetadataQuorum.Origin;
import io.millrace.broker.quorum.QuorumMember.Told;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.NetworkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RatisQuorumTest {
    private static final QuorumSettings FREQUENT_SNAPSHOTS = new QuorumSettings(300, 600, 2000, 50, 2048);

    @TempDir
    Path folder;

    private QuorumCluster cluster;

    @AfterEach
    void close() {
        cluster.close();
    }

    private void cluster(int voters, QuorumSettings settings) {
        cluster = new QuorumCluster(folder, settings, voters);
    }

    private static void putNumbers(QuorumMember leader, int from, int to) {
        IntStream.rangeClosed(from, to).forEach(i -> leader.put("key-" + i, "value-" + i));
    }

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
    void another_voter_leads_when_the_leader_stops_and_nothing_committed_is_lost() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember first = cluster.leader();
        putNumbers(first, 1, 20);
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
    void a_restart_of_all_brings_back_the_same_state() {
        cluster(3, FREQUENT_SNAPSHOTS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        putNumbers(leader, 1, 130);
        leader.put("key-1", null);
        leader.put("last", "one");
        cluster.awaitAll("last", "one");
        Map<String, String> before = leader.state();

        cluster.stopAll();
        cluster.startAll();
        cluster.leader();
        cluster.awaitAll("last", "one");

        assertThat(cluster.members())
                .allSatisfy(member -> assertThat(member.state()).containsExactlyEntriesOf(before));
    }

    @Test
    void a_voter_that_was_away_for_long_catches_up_by_a_snapshot() {
        cluster(3, FREQUENT_SNAPSHOTS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.put("early", "1");
        cluster.awaitAll("early", "1");
        int away = leader.id() % 3 + 1;

        cluster.stop(away);
        putNumbers(leader, 1, 600);
        cluster.awaitAll("key-600", "value-600");
        QuorumMember back = cluster.start(away);
        cluster.awaitAll("key-600", "value-600");
        cluster.leader().put("late", "1");
        cluster.awaitAll("late", "1");

        assertThat(back.snapshots()).as("one at the start, one from the leader").isGreaterThan(1);
        assertThat(back.told()).as("units told one by one").hasSizeLessThan(500);
        assertThat(back.state()).containsExactlyEntriesOf(leader.state());
    }

    @Test
    void an_observer_joins_follows_and_is_forgotten_when_removed() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.put("before", "1");
        QuorumMember observer = cluster.startObserver(9);

        cluster.awaitAll("before", "1");
        cluster.leader().put("while", "2");
        cluster.awaitAll("while", "2");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(observers(leader)).containsExactly(9));
        assertThat(observer.leads()).isFalse();
        assertThat(observer.leader()).isEqualTo(leader.id());

        cluster.stop(9);
        cluster.startObserver(9);
        leader.put("at another port", "3");
        cluster.awaitAll("at another port", "3");
        awaitObservers(9);

        cluster.stop(9);
        leader.quorum().remove(9).join();
        leader.quorum().remove(9).join();
        assertThat(observers(leader)).isEmpty();
        assertThatThrownBy(() -> leader.quorum().remove(2).join()).hasMessageContaining("node 2 votes");
    }

    private static List<Integer> observers(QuorumMember member) {
        return member.quorum().describe().observers().stream().map(Member::node).toList();
    }

    @Test
    void observers_alone_never_make_a_quorum_and_a_removed_one_may_come_back() {
        cluster(1, SETTINGS);
        cluster.startAll();
        QuorumMember voter = cluster.leader();
        QuorumMember observer = cluster.startObserver(7);
        voter.put("a", "1");
        cluster.awaitAll("a", "1");
        cluster.stop(7);
        voter.quorum().remove(7).join();

        QuorumMember back = cluster.startObserver(7);
        voter.put("b", "2");
        cluster.awaitAll("b", "2");
        cluster.stop(1);
        cluster.start(1);
        cluster.leader().put("c", "3");
        cluster.awaitAll("c", "3");

        assertThat(observer.leads()).isFalse();
        assertThat(back.leads()).isFalse();
    }

    @Test
    void an_observer_that_is_down_does_not_keep_others_from_joining_or_following() {
        cluster(3, SETTINGS);
        cluster.startAll();
        cluster.leader();
        cluster.startObserver(7);
        cluster.startObserver(8);
        cluster.leader().put("a", "1");
        cluster.awaitAll("a", "1");
        cluster.stop(7);

        cluster.startObserver(9);
        await().atMost(PATIENCE).until(() -> observers(cluster.leader()).containsAll(List.of(8, 9)));
        cluster.leader().put("b", "2");
        cluster.awaitAll("b", "2");
        cluster.startObserver(7);
        awaitObservers(7, 8, 9);
        cluster.leader().put("c", "3");
        cluster.awaitAll("c", "3");
    }

    private void awaitObservers(Integer... nodes) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(observers(cluster.leader())).containsExactly(nodes));
    }

    @Test
    void the_quorum_begins_with_the_records_of_the_first_voter_and_takes_them_only_once() {
        cluster(3, SETTINGS);
        cluster.start(2);
        cluster.start(3);
        cluster.start(1, entry("topic", "of old"), entry("other", "x"));
        QuorumMember leader = cluster.leader();
        cluster.awaitAll("topic", "of old");
        assertThat(leader.id()).isEqualTo(1);
        leader.put("topic", "changed");
        leader.put("other", null);
        leader.put("new", "1");
        cluster.awaitAll("new", "1");

        cluster.stopAll();
        cluster.start(1, entry("topic", "of old"), entry("other", "x"));
        cluster.start(2);
        cluster.start(3);
        cluster.leader().put("last", "1");
        cluster.awaitAll("last", "1");

        assertThat(cluster.members())
                .allSatisfy(member ->
                        assertThat(member.state()).isEqualTo(Map.of("topic", "changed", "new", "1", "last", "1")));
    }

    @Test
    void thousands_of_proposals_without_waiting_are_committed_in_their_order() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        long term = leader.leadingTerm();

        putNumbers(leader, 1, 5000);
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
    void what_a_killed_node_leaves_on_disk_is_all_that_was_committed() throws IOException {
        cluster(1, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        putNumbers(leader, 1, 100);
        cluster.awaitAll("key-100", "value-100");
        Path image = folder.resolve("image");
        copy(cluster.folder(1), image);
        cluster.stopAll();
        cluster.host().host().disk().delete(cluster.folder(1));
        copy(image, cluster.folder(1));

        QuorumMember again = cluster.start(1);

        cluster.leader();
        assertThat(again.state()).hasSize(100);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            paths.forEach(path -> {
                try {
                    Files.copy(path, to.resolve(from.relativize(path).toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @Test
    void a_log_that_had_to_be_closed_goes_on_where_it_was_once_it_is_open_again() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        QuorumMember other = cluster.members().stream()
                .filter(member -> member != leader)
                .findFirst()
                .orElseThrow();
        putNumbers(leader, 1, 20);
        cluster.awaitAll("key-20", "value-20");

        for (QuorumMember member : List.of(other, leader)) {
            member.quorum().reopen();
            cluster.leader().put("after " + member.id(), "1");
            cluster.awaitAll("after " + member.id(), "1");
        }

        for (QuorumMember member : cluster.members()) {
            assertThat(member.told().stream().map(Told::position)).isSorted().doesNotHaveDuplicates();
            assertThat(member.state()).hasSize(22);
            assertThat(member.snapshots()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_voter_whose_term_was_spoiled_by_a_full_disk_starts_in_a_later_one_in_which_it_has_not_voted(boolean gone)
            throws IOException {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.put("before", "1");
        cluster.awaitAll("before", "1");
        int spoiled = leader.id() % 3 + 1;
        long term = leader.leadingTerm();

        cluster.stop(spoiled);
        if (gone) {
            Files.delete(termFile(spoiled));
        } else {
            Files.write(termFile(spoiled), new byte[0]);
        }
        cluster.start(spoiled);
        await().atMost(PATIENCE).until(() -> cluster.leader().leadingTerm() > term + 1_000);
        cluster.leader().put("after", "1");

        cluster.awaitAll("before", "1");
        cluster.awaitAll("after", "1");
    }

    /** Ratis begins anew where something unexpected happens, and from then on does not step down for that voter. */
    @Test
    void a_voter_with_a_spoiled_term_takes_part_also_where_the_leader_had_to_begin_anew_to_send_to_it()
            throws IOException {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.put("before", "1");
        cluster.awaitAll("before", "1");
        int spoiled = leader.id() % 3 + 1;

        cluster.stop(spoiled);
        Files.write(termFile(spoiled), new byte[0]);
        leader.sendAnew();
        cluster.start(spoiled);
        await().atMost(PATIENCE).until(() -> cluster.leader().leadingTerm() > 1_000);
        cluster.leader().put("after", "1");

        cluster.awaitAll("after", "1");
    }

    private Path termFile(int id) throws IOException {
        try (Stream<Path> files = Files.walk(cluster.folder(id))) {
            return files.filter(path -> path.endsWith("raft-meta")).findFirst().orElseThrow();
        }
    }

    @Test
    void a_damaged_snapshot_stops_the_start() throws IOException {
        cluster(1, FREQUENT_SNAPSHOTS);
        cluster.startAll();
        putNumbers(cluster.leader(), 1, 200);
        cluster.awaitAll("key-200", "value-200");
        cluster.stopAll();
        List<Path> snapshots;
        try (Stream<Path> files = Files.walk(cluster.folder(1))) {
            snapshots = files.filter(file -> file.getFileName().toString().matches("snapshot\\.\\d+_\\d+"))
                    .toList();
        }
        assertThat(snapshots).as("the newest and the one before it").hasSize(2);
        for (Path snapshot : snapshots) {
            byte[] content = Files.readAllBytes(snapshot);
            content[content.length / 2] ^= 1;
            Files.write(snapshot, content);
        }

        assertThatThrownBy(() -> cluster.start(1))
                .isInstanceOf(DiskException.class)
                .hasMessageContaining("has the checksum");
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
