package io.millrace.broker.metadata;

import static io.millrace.broker.metadata.PartitionImage.NO_LEADER;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.ControllerCommand.CreatePartitions;
import io.millrace.broker.metadata.ControllerCommand.DeleteTopic;
import io.millrace.broker.metadata.ControllerCommand.ElectLeaders;
import io.millrace.broker.metadata.ControllerCommand.Elected;
import io.millrace.broker.metadata.ControllerCommand.SetBroker;
import io.millrace.broker.metadata.ControllerCommand.SetTopic;
import io.millrace.broker.metadata.ControllerCommand.TakeProducerIds;
import io.millrace.broker.metadata.ControllerCommand.Unregister;
import io.millrace.kernel.EventCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to a cluster, and in whichever order: what must always hold, holds after each event. */
class RandomClusterTest {
    private static final int STEPS = 3_000;
    private static final int BROKERS = 5;
    private static final int RACKS = 3;
    private static final List<String> TOPICS = List.of("a", "b", "c", TopicImage.OFFSETS);

    private final Map<String, Integer> leaders = new HashMap<>();
    private final CommittedRecords records = new CommittedRecords();
    private final MetadataCodec codec = new MetadataCodec();
    private Random random;
    private ControllerSteps cluster;
    private MetadataState before;
    private boolean unclean;
    private boolean uncleanAsked;
    private List<Integer> agreed = List.of();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void what_must_always_hold_holds_after_each_event(long seed) {
        random = new Random(seed);
        cluster = new ControllerSteps(seed);
        before = cluster.state();
        cluster.watch(this::check);

        for (int step = 0; step < STEPS; step++) {
            step();
            cluster.tick();
            records.commit(cluster.image());
            if (step % 10 == 0) {
                cluster.image().topics().values().forEach(this::checkTopic);
            }
            if (step % 250 == 0) {
                assertReplayIsEqual(cluster.journal);
                assertReplayIsEqual(newestOfEachKey());
            }
        }

        assertReplayIsEqual(cluster.journal);
        assertReplayIsEqual(newestOfEachKey());
    }

    private void step() {
        switch (random.nextInt(20)) {
            case 0, 1 -> register();
            case 2, 3, 4, 5 -> beat();
            case 6 -> cluster.pass(random.nextInt(8_000), living());
            case 7 -> ifKnown(cluster::kill);
            case 8, 9, 10, 11, 12 -> changeInSync();
            case 13 -> makeOrGrow();
            case 14 -> settings();
            case 15, 16 -> reassign();
            case 17 -> drain();
            case 18 -> elect();
            default -> rarely();
        }
    }

    private void rarely() {
        switch (random.nextInt(8)) {
            case 0 -> cluster.takeOver();
            case 1 -> deleteTopic();
            case 2 -> cluster.<Outcome<BrokerImage>>ask(reply -> new Unregister(node(), reply));
            case 3 -> cluster.<Long>ask(reply -> new TakeProducerIds(10, reply));
            case 4 -> cluster.pass(20_000);
            case 5 -> cluster.pass(ControllerSteps.BALANCE_MS, living());
            default -> ifKnown(cluster::wantsStop);
        }
    }

    private int node() {
        return 1 + random.nextInt(BROKERS);
    }

    private String rack() {
        return "rack" + random.nextInt(RACKS);
    }

    private void register() {
        String host = random.nextInt(10) == 0 ? "elsewhere" : "host";
        Uuid incarnation = new Uuid(random.nextLong(), random.nextLong());
        unclean = random.nextBoolean();
        cluster.register(node(), host, rack(), !unclean, incarnation);
        unclean = false;
    }

    private String topic() {
        return TOPICS.get(random.nextInt(TOPICS.size()));
    }

    private List<Integer> nodes(int count) {
        List<Integer> all = new ArrayList<>(List.of(1, 2, 3, 4, 5));
        Collections.shuffle(all, random);
        return all.subList(0, count);
    }

    private Integer[] living() {
        return cluster.image().brokers().keySet().stream()
                .filter(node -> random.nextInt(4) > 0)
                .toArray(Integer[]::new);
    }

    private void ifKnown(IntConsumer action) {
        int node = node();
        if (cluster.broker(node) != null) {
            action.accept(node);
        }
    }

    private void beat() {
        ifKnown(node -> cluster.beat(
                node,
                cluster.broker(node).epoch() - random.nextInt(10) / 9,
                random.nextInt(5) > 0,
                random.nextInt(20) == 0,
                random.nextInt(20) == 0));
    }

    private void changeInSync() {
        TopicImage topic = cluster.image().topic(topic());
        if (topic == null) {
            return;
        }
        PartitionImage partition =
                topic.partition(random.nextInt(topic.partitions().size()));
        if (partition.hasLeader()) {
            List<Integer> nodes = new ArrayList<>(random.nextInt(10) == 0 ? nodes(3) : partition.replicas());
            nodes.removeIf(node -> random.nextInt(4) == 0);
            agreed = nodes;
            cluster.inSync(topic.name(), partition.index(), nodes);
            agreed = List.of();
        }
    }

    private void makeOrGrow() {
        String name = topic();
        TopicImage topic = cluster.image().topic(name);
        if (topic == null) {
            cluster.create(name, 1 + random.nextInt(4), TopicImage.isInternal(name) ? -1 : 1 + random.nextInt(3));
        } else if (topic.partitions().size() < 8) {
            cluster.<Outcome<TopicImage>>ask(reply ->
                    new CreatePartitions(name, topic.partitions().size() + 1, List.of(), random.nextBoolean(), reply));
        }
    }

    private void settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("min.insync.replicas", String.valueOf(1 + random.nextInt(3)));
        settings.put("unclean.leader.election.enable", String.valueOf(random.nextInt(5) == 0));
        if (random.nextInt(4) == 0) {
            cluster.<Outcome<Boolean>>ask(reply -> new SetBroker("", current -> settings, false, reply));
        } else {
            cluster.<Outcome<TopicImage>>ask(reply ->
                    new SetTopic(topic(), current -> random.nextBoolean() ? settings : Map.of(), false, reply));
        }
    }

    private void reassign() {
        String name = topic();
        if (cluster.image().topic(name) != null && random.nextInt(4) == 0) {
            cluster.cancel(name);
        } else {
            cluster.reassign(name, nodes(1 + random.nextInt(3)).toArray(Integer[]::new));
        }
    }

    private void drain() {
        int node = node();
        boolean on = random.nextInt(3) == 0;
        cluster.setDrain(String.valueOf(node), on);
    }

    private void elect() {
        ElectionType type = random.nextInt(4) == 0 ? ElectionType.UNCLEAN : ElectionType.PREFERRED;
        uncleanAsked = type == ElectionType.UNCLEAN;
        cluster.<List<Elected>>ask(reply -> new ElectLeaders(type, null, reply));
        uncleanAsked = false;
    }

    private void deleteTopic() {
        TopicImage topic = cluster.image().topic(topic());
        if (topic != null) {
            cluster.<Outcome<TopicImage>>ask(reply -> new DeleteTopic(topic.id(), reply));
        }
    }

    private void check(MetadataEvent event) {
        if (event instanceof MetadataEvent.PartitionChanged changed) {
            TopicImage topic = cluster.image().topic(changed.topicId());
            int index = changed.partition().index();
            PartitionImage old = before.image().topic(changed.topicId()).partition(index);
            checkPartition(topic, changed.partition());
            checkStep(old, changed.partition());
            checkRecords(topic, old, changed);
        } else if (event instanceof MetadataEvent.TopicChanged changed) {
            records.created(changed);
            checkTopic(changed.topic());
        } else if (event instanceof MetadataEvent.BrokerChanged changed && unclean && isNew(changed.broker())) {
            records.lost(changed.broker().id());
        }
        before = cluster.state();
    }

    private boolean isNew(BrokerImage broker) {
        BrokerImage old = before.image().broker(broker.id());
        return old == null || old.epoch() != broker.epoch();
    }

    private void checkTopic(TopicImage topic) {
        topic.partitions().forEach(partition -> checkPartition(topic, partition));
    }

    private void checkPartition(TopicImage topic, PartitionImage partition) {
        assertThat(partition.inSync()).isNotEmpty().doesNotHaveDuplicates();
        assertThat(partition.replicas())
                .doesNotHaveDuplicates()
                .containsAll(partition.inSync())
                .containsAll(partition.eligible())
                .containsAll(partition.adding())
                .containsAll(partition.removing());
        assertThat(partition.target()).isNotEmpty();
        List<Boolean> fenced = partition.inSync().stream()
                .map(node -> cluster.broker(node).fenced())
                .distinct()
                .toList();
        assertThat(fenced)
                .as("fenced replicas stay in sync only where there are no others: %s", partition)
                .hasSize(1);
        assertThat(partition.eligible()).doesNotContainAnyElementsOf(partition.inSync());
        if (partition.hasLeader()) {
            assertThat(partition.inSync()).contains(partition.leader());
            assertThat(cluster.broker(partition.leader()).fenced())
                    .as("the leader is fenced: %s", partition)
                    .isFalse();
            assertThat(partition.lastLeader()).isEqualTo(NO_LEADER);
            String epoch = topic.id() + "-" + partition.index() + " epoch " + partition.leaderEpoch();
            assertThat(leaders.merge(epoch, partition.leader(), (first, second) -> first))
                    .as(epoch)
                    .isEqualTo(partition.leader());
        }
        if (partition.lastLeader() != NO_LEADER) {
            assertThat(partition.inSync()).containsExactly(partition.lastLeader());
            assertThat(partition.eligible()).isEmpty();
        }
    }

    private void checkStep(PartitionImage old, PartitionImage now) {
        boolean sameEpoch = now.leader() == old.leader() && now.replicas().containsAll(old.replicas());
        assertThat(now.partitionEpoch()).isEqualTo(old.partitionEpoch() + 1);
        assertThat(now.leaderEpoch()).as("%s after %s", now, old).isEqualTo(old.leaderEpoch() + (sameEpoch ? 0 : 1));
    }

    private void checkRecords(TopicImage topic, PartitionImage old, MetadataEvent.PartitionChanged event) {
        PartitionImage now = event.partition();
        if (records.losesRecords(event, old, agreed)) {
            assertThat(uncleanAsked || mayElectUnclean(topic) || old.lastLeader() == now.leader())
                    .as("%s loses records after %s", now, old)
                    .isTrue();
        }
    }

    private boolean mayElectUnclean(TopicImage topic) {
        String name = "unclean.leader.election.enable";
        String ofBrokers = cluster.image().settingsOf(1).getOrDefault(name, "false");
        return Boolean.parseBoolean(topic.settings().getOrDefault(name, ofBrokers));
    }

    private void assertReplayIsEqual(List<EventCodec.Entry> records) {
        List<MetadataEvent> events = records.stream().map(codec::decode).toList();
        MetadataState replayed = MetadataState.empty("cluster");
        for (MetadataEvent event : events) {
            replayed = replayed.with(event);
        }
        assertThat(replayed).as("one by one").isEqualTo(cluster.state());
        assertThat(MetadataState.empty("cluster").with(events)).as("at once").isEqualTo(cluster.state());
    }

    /** As a snapshot has them: in the order of their last update. */
    private List<EventCodec.Entry> newestOfEachKey() {
        Map<ByteBuffer, EventCodec.Entry> newest = new LinkedHashMap<>();
        for (EventCodec.Entry record : cluster.journal) {
            ByteBuffer key = ByteBuffer.wrap(record.key());
            newest.remove(key);
            if (record.value() != null) {
                newest.put(key, record);
            }
        }
        return List.copyOf(newest.values());
    }
}
