package io.millrace.broker.quorum;

import static io.millrace.broker.quorum.QuorumCluster.PATIENCE;
import static io.millrace.broker.quorum.QuorumCluster.SETTINGS;
import static io.millrace.broker.quorum.QuorumMember.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.quorum.QuorumMember.Told;
import io.millrace.kernel.DiskException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the disks of the voters keep: across stops, kills, full and damaged disks. */
class RatisStorageTest extends QuorumTest {
    private static final QuorumSettings FREQUENT_SNAPSHOTS = new QuorumSettings(300, 600, 2000, 50, 2048);

    @Test
    void a_restart_of_all_brings_back_the_same_state() {
        cluster(3, FREQUENT_SNAPSHOTS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.putNumbers(1, 130);
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
        leader.putNumbers(1, 600);
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
    void what_a_killed_node_leaves_on_disk_is_all_that_was_committed() throws IOException {
        cluster(1, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.putNumbers(1, 100);
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
        leader.putNumbers(1, 20);
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
        cluster.leader().putNumbers(1, 200);
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
}
