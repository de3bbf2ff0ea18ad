package io.millrace.streams.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SlotDivisionTest {
    private static final Slots.Claim NEWCOMER = new Slots.Claim(Slots.NONE, List.of());

    @Test
    void a_newcomer_gets_the_slot_of_a_dead_predecessor() {
        Map<String, Integer> slots = SlotDivision.slots(
                Map.of("a", new Slots.Claim(0, List.of()), "b", NEWCOMER, "c", new Slots.Claim(2, List.of())));

        assertThat(slots).isEqualTo(Map.of("a", 0, "b", 1, "c", 2));
    }

    @Test
    void two_that_claim_one_slot_get_two() {
        Map<String, Integer> slots =
                SlotDivision.slots(Map.of("a", new Slots.Claim(1, List.of()), "b", new Slots.Claim(1, List.of())));

        assertThat(slots).isEqualTo(Map.of("a", 1, "b", 0));
    }

    @Test
    void a_member_keeps_the_partitions_whose_state_it_has() {
        List<TopicPartition> partitions = partitions(4);

        Map<String, List<TopicPartition>> own = SlotDivision.partitions(
                Map.of("a", new Slots.Claim(0, List.of(partitions.get(3), partitions.get(1))), "b", NEWCOMER),
                partitions);

        assertThat(own.get("a")).containsExactlyInAnyOrder(partitions.get(3), partitions.get(1));
        assertThat(own.get("b")).containsExactlyInAnyOrder(partitions.get(0), partitions.get(2));
    }

    @Test
    void whatever_is_claimed_each_partition_has_one_owner_and_loads_differ_by_one() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            List<TopicPartition> partitions = partitions(random.nextInt(12));
            Map<String, Slots.Claim> claims = new TreeMap<>();
            int members = 1 + random.nextInt(5);
            for (int member = 0; member < members; member++) {
                List<TopicPartition> claimed = new ArrayList<>();
                partitions.stream().filter(p -> random.nextBoolean()).forEach(claimed::add);
                claims.put("m" + member, new Slots.Claim(random.nextInt(4) - 1, claimed));
            }

            Map<String, List<TopicPartition>> own = SlotDivision.partitions(claims, partitions);

            List<TopicPartition> all = new ArrayList<>();
            own.values().forEach(all::addAll);
            assertThat(all).containsExactlyInAnyOrderElementsOf(partitions);
            assertThat(own.values())
                    .allMatch(list -> list.size() >= partitions.size() / members
                            && list.size() <= (partitions.size() + members - 1) / members);
            assertThat(new HashSet<>(SlotDivision.slots(claims).values())).hasSize(members);
        }
    }

    @Test
    void user_data_comes_back_as_it_was() {
        Slots.Claim claim = new Slots.Claim(3, partitions(2));
        Slots.Grant grant = new Slots.Grant(1, Set.of(0, 1, 5));

        assertThat(Slots.readClaim(Slots.write(claim))).isEqualTo(claim);
        assertThat(Slots.readGrant(Slots.write(grant))).isEqualTo(grant);
        assertThat(Slots.readClaim(null)).isEqualTo(NEWCOMER);
    }

    private static List<TopicPartition> partitions(int count) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            partitions.add(new TopicPartition("t", number));
        }
        return partitions;
    }
}
