package io.millrace.broker.metadata;

import io.millrace.broker.metadata.MetadataEvent.PartitionChanged;
import io.millrace.broker.settings.TopicSettings;
import io.millrace.broker.settings.Values;
import io.millrace.kernel.Decision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A decision in the making. What it has changed so far stands over the state that it is decided upon, so that its later
 * steps see the earlier ones. However often it touches a partition, that becomes one event.
 */
final class Draft {
    private static final Logger LOG = LoggerFactory.getLogger(Draft.class);
    private static final int NAMED = 20;

    private final TopicDefaults defaults;
    private final List<MetadataEvent> events = new ArrayList<>();
    private final Map<Key, PartitionImage> partitions = new LinkedHashMap<>();
    private final List<Runnable> effects = new ArrayList<>();
    private final List<String> incomplete = new ArrayList<>();
    private final LazyState state;
    private Values brokerSettings;

    Draft(MetadataState state, TopicDefaults defaults) {
        this.state = new LazyState(state);
        this.defaults = defaults;
    }

    /** The cluster with all changes so far but those of single partitions, for which see {@link #partition}. */
    ClusterImage image() {
        return state.get().image();
    }

    /** The partition as the decision has left it so far, or null where the topic has none of that number. */
    PartitionImage partition(TopicImage topic, int index) {
        PartitionImage changed = partitions.get(new Key(topic.id(), index));
        return changed == null ? topic.partition(index) : changed;
    }

    /** Adds an event that is not about a single partition. */
    void add(MetadataEvent event) {
        events.add(event);
        state.add(event);
        brokerSettings = null;
    }

    /** Changes a partition that exists, with all that follows from it; answers what it is then. */
    PartitionImage revise(TopicImage topic, int index, Consumer<PartitionDraft> change) {
        return revise(topic, index, rules(topic), change);
    }

    /** Changes every partition of every topic; answers how many are not as before. */
    int reviseAll(Consumer<PartitionDraft> change) {
        int changed = 0;
        for (TopicImage topic : image().topics().values()) {
            changed += reviseAll(topic, change);
        }
        return changed;
    }

    /** Does for every partition what follows from the changes so far; answers how many are not as before. */
    int settleAll() {
        return reviseAll(partition -> {});
    }

    /** The same for those of one topic. */
    int settleAll(TopicImage topic) {
        return reviseAll(topic, partition -> {});
    }

    private int reviseAll(TopicImage topic, Consumer<PartitionDraft> change) {
        TopicRules rules = rules(topic);
        int changed = 0;
        for (PartitionImage partition : topic.partitions()) {
            PartitionImage before = partition(topic, partition.index());
            PartitionImage after = revise(topic, partition.index(), rules, change);
            changed += after.equals(before) ? 0 : 1;
        }
        return changed;
    }

    private PartitionImage revise(TopicImage topic, int index, TopicRules rules, Consumer<PartitionDraft> change) {
        PartitionImage before = partition(topic, index);
        PartitionDraft draft = new PartitionDraft(topic.partition(index), before, image(), rules);
        change.accept(draft);
        PartitionImage after = draft.settled();
        if (!after.equals(before)) {
            partitions.put(new Key(topic.id(), index), after);
        }
        if (draft.mayHaveLostRecords()) {
            incomplete.add(topic.name() + "-" + index + " (broker " + after.leader() + ")");
        }
        return after;
    }

    private TopicRules rules(TopicImage topic) {
        if (brokerSettings == null) {
            brokerSettings = defaults.of(image());
        }
        Values settings = Values.ofTopic(topic.settings(), brokerSettings);
        return new TopicRules(
                settings.number(TopicSettings.MIN_INSYNC_REPLICAS),
                settings.flag(TopicSettings.UNCLEAN_LEADER_ELECTION));
    }

    /** The decision, with an answer that leaves when it is committed. */
    <R> Decision<MetadataEvent, Runnable> answer(CompletableFuture<R> reply, R answer) {
        effects.add(() -> reply.complete(answer));
        return decision();
    }

    Decision<MetadataEvent, Runnable> decision() {
        List<MetadataEvent> all = new ArrayList<>(events);
        partitions.forEach((key, partition) -> all.add(new PartitionChanged(key.topic, partition)));
        if (!incomplete.isEmpty()) {
            effects.add(this::warn);
        }
        return new Decision<>(all, effects);
    }

    private void warn() {
        LOG.warn(
                "{} partition(s) have new leaders that may lack records, the first of them {}",
                incomplete.size(),
                incomplete.subList(0, Math.min(NAMED, incomplete.size())));
    }

    private record Key(Uuid topic, int index) {}
}
