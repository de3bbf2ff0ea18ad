package io.millrace.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.BrokerImage.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final Uuid TOPIC = new Uuid(7, 7);

    @Test
    void replicas_of_a_partition_are_on_different_racks() {
        List<BrokerImage> brokers = brokers("a", "a", "b", "b", "c");

        for (PartitionImage partition : Placement.spread(brokers, TOPIC, List.of(), 60, 3)) {
            assertThat(racks(brokers, partition)).as("%s", partition.replicas()).hasSize(3);
        }
    }

    @Test
    void with_more_replicas_than_racks_every_rack_has_some() {
        List<BrokerImage> brokers = brokers("a", "a", "a", "b", "b");

        for (PartitionImage partition : Placement.spread(brokers, TOPIC, List.of(), 60, 4)) {
            List<String> racks = partition.replicas().stream()
                    .map(id -> brokers.get(id - 1).rack())
                    .toList();
            assertThat(racks).containsOnly("a", "b");
            assertThat(racks.stream().filter("a"::equals).count()).isEqualTo(2);
        }
    }

    @Test
    void leaders_and_replicas_are_balanced_over_brokers() {
        List<BrokerImage> brokers = brokers("a", "a", "b", "b", "c", "c");

        List<PartitionImage> partitions = Placement.spread(brokers, TOPIC, List.of(), 60, 3);

        Map<Integer, Integer> leaders = new HashMap<>();
        Map<Integer, Integer> replicas = new HashMap<>();
        for (PartitionImage partition : partitions) {
            leaders.merge(partition.leader(), 1, Integer::sum);
            partition.replicas().forEach(node -> replicas.merge(node, 1, Integer::sum));
        }
        assertThat(leaders.values()).hasSize(6).containsOnly(10);
        assertThat(replicas.values()).hasSize(6).allMatch(count -> count >= 29 && count <= 31);
    }

    @Test
    void leaders_of_consecutive_partitions_are_on_different_racks() {
        List<BrokerImage> brokers = brokers("a", "a", "b", "b");

        List<PartitionImage> partitions = Placement.spread(brokers, TOPIC, List.of(), 8, 1);

        for (int index = 1; index < 8; index++) {
            assertThat(brokers.get(partitions.get(index).leader() - 1).rack())
                    .isNotEqualTo(
                            brokers.get(partitions.get(index - 1).leader() - 1).rack());
        }
    }

    @Test
    void a_broker_whose_rack_is_not_known_counts_as_a_rack_of_its_own() {
        List<BrokerImage> brokers = brokers("", "", "", "a", "a");

        for (PartitionImage partition : Placement.spread(brokers, TOPIC, List.of(), 60, 4)) {
            assertThat(partition.replicas()).contains(1, 2, 3).hasSize(4);
        }
    }

    @Test
    void the_followers_of_a_leader_are_not_always_the_same() {
        List<BrokerImage> brokers = brokers("", "", "", "", "");

        Set<List<Integer>> pairs = new HashSet<>();
        Placement.spread(brokers, TOPIC, List.of(), 20, 2).stream()
                .filter(partition -> partition.leader() == 1)
                .forEach(partition -> pairs.add(partition.replicas()));

        assertThat(pairs).hasSizeGreaterThan(2);
    }

    @Test
    void topics_of_one_partition_spread() {
        List<BrokerImage> brokers = brokers("", "", "");

        Map<Integer, Integer> leaders = new HashMap<>();
        for (int topic = 0; topic < 300; topic++) {
            Uuid id = new Uuid(topic * 31L, topic);
            leaders.merge(Placement.spread(brokers, id, List.of(), 1, 1).get(0).leader(), 1, Integer::sum);
        }

        assertThat(leaders.values()).hasSize(3).allMatch(count -> count > 50);
    }

    @Test
    void partitions_that_are_added_go_on_where_the_others_end() {
        List<BrokerImage> brokers = brokers("a", "b", "c");

        List<PartitionImage> first = Placement.spread(brokers, TOPIC, List.of(), 2, 2);
        List<PartitionImage> added = Placement.spread(brokers, TOPIC, first, 4, 2);

        List<PartitionImage> all = new ArrayList<>(first);
        all.addAll(added);
        assertThat(all).isEqualTo(Placement.spread(brokers, TOPIC, List.of(), 6, 2));
    }

    private static Set<String> racks(List<BrokerImage> brokers, PartitionImage partition) {
        Set<String> racks = new HashSet<>();
        partition.replicas().forEach(id -> racks.add(brokers.get(id - 1).rack()));
        return racks;
    }

    /** Brokers 1, 2, … in these racks. */
    private static List<BrokerImage> brokers(String... racks) {
        List<BrokerImage> brokers = new ArrayList<>();
        for (String rack : racks) {
            int id = brokers.size() + 1;
            brokers.add(new BrokerImage(id, "host" + id, 9092, rack, id, new Uuid(1, id), State.ACTIVE, false));
        }
        return brokers;
    }
}
