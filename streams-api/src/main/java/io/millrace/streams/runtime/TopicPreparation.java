package io.millrace.streams.runtime;

import io.millrace.streams.Operation;
import io.millrace.streams.Step;
import io.millrace.streams.Topic;
import io.millrace.streams.plan.Plan;
import io.millrace.streams.plan.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Looks at a job's topics before anything runs. Topics that the job only reads must exist; those that it writes are
 * created if they are missing, with as many partitions as the topic that their stage reads. Event times may be old, so
 * nothing that is created here is deleted by age. All that is wrong is told at once.
 */
final class TopicPreparation {
    static final int DEAD_LETTER_PARTITIONS = 1;

    private static final int DEAD_LETTER_MAX_BYTES = 16 << 20; // the largest record, and what is said about it
    private static final Map<String, String> KEEP = Map.of("retention.ms", "-1");

    private final Admin admin;
    private final Plan plan;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, NewTopic> missing = new LinkedHashMap<>();

    TopicPreparation(Admin admin, Plan plan) {
        this.admin = admin;
        this.plan = plan;
    }

    /** For a broker of the job's own, which nobody else can have prepared: one partition for each topic it reads. */
    static void createSources(String bootstrap, Plan plan) {
        try (Admin admin = new Clients(JobSettings.of(bootstrap, Path.of("."))).admin()) {
            TopicPreparation preparation = new TopicPreparation(admin, plan);
            plan.sources().forEach(topic -> preparation.create(topic.name(), 1, KEEP, new HashMap<>()));
            preparation.createMissing();
        }
    }

    TopicCatalog prepare() {
        Map<String, TopicDescription> found = describe(names());
        Map<String, Integer> counts = new HashMap<>();
        found.forEach(
                (name, description) -> counts.put(name, description.partitions().size()));
        for (Topic<?, ?> source : plan.sources()) {
            if (!counts.containsKey(source.name())) {
                problems.add("topic %s, which the job reads, does not exist; create it: millrace topics create %s"
                        .formatted(source.name(), source.name()));
            }
        }
        plan.logStages().forEach(stage -> check(stage, counts));
        if (!counts.containsKey(plan.deadLetterTopic())) {
            Map<String, String> config =
                    Map.of("retention.ms", "-1", "max.message.bytes", Integer.toString(DEAD_LETTER_MAX_BYTES));
            create(plan.deadLetterTopic(), DEAD_LETTER_PARTITIONS, config, counts);
        }
        if (!problems.isEmpty()) {
            throw new JobStoppedException("job %s cannot start:%n- %s"
                    .formatted(plan.job().name(), String.join("%n- ".formatted(), problems)));
        }
        createMissing();
        return catalog();
    }

    private void check(Stage.OfLog stage, Map<String, Integer> counts) {
        Integer partitions = counts.get(stage.source().name());
        if (partitions == null) {
            return; // told already
        }
        for (Step step : stage.steps()) {
            Topic<?, ?> target = target(step.operation());
            if (target != null && !counts.containsKey(target.name())) {
                create(target.name(), partitions, KEEP, counts);
            }
        }
        for (String state : stage.states()) {
            String changelog = plan.changelogTopic(state);
            Integer found = counts.get(changelog);
            if (found == null) {
                create(changelog, partitions, Map.of("cleanup.policy", "compact"), counts);
            } else if (!found.equals(partitions)) {
                problems.add(
                        ("state %s is not partitioned like its input: topic %s has %d partitions, its changelog %s has %d;"
                                        + " give the state a new name to build it again, or go back to %d partitions")
                                .formatted(state, stage.source().name(), partitions, changelog, found, found));
            }
        }
    }

    private static Topic<?, ?> target(Operation operation) {
        if (operation instanceof Operation.Through<?, ?> through) {
            return through.topic();
        }
        return operation instanceof Operation.To<?, ?> to ? to.topic() : null;
    }

    private void create(String name, int partitions, Map<String, String> config, Map<String, Integer> counts) {
        counts.put(name, partitions);
        missing.put(name, new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(config));
    }

    private Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        plan.sources().forEach(topic -> names.add(topic.name()));
        plan.targets().forEach(topic -> names.add(topic.name()));
        plan.logStages().forEach(stage -> stage.states().forEach(state -> names.add(plan.changelogTopic(state))));
        names.add(plan.deadLetterTopic());
        return names;
    }

    private Map<String, TopicDescription> describe(Set<String> names) {
        Map<String, TopicDescription> found = new HashMap<>();
        admin.describeTopics(names).topicNameValues().forEach((name, future) -> {
            try {
                found.put(name, AdminCalls.get(future));
            } catch (UnknownTopicOrPartitionException e) {
                // absent, which is an answer
            }
        });
        return found;
    }

    private void createMissing() {
        if (missing.isEmpty()) {
            return;
        }
        for (KafkaFuture<Void> created :
                admin.createTopics(missing.values()).values().values()) {
            try {
                AdminCalls.get(created);
            } catch (TopicExistsException e) {
                // another process of this job was faster
            }
        }
    }

    /** Creation is known to the whole cluster a little later than to its controller. */
    private TopicCatalog catalog() {
        long untilMs = SystemTime.monotonicMs() + Clients.CALL_TIMEOUT.toMillis();
        Map<String, TopicDescription> found = describe(names());
        while (found.size() < names().size() && SystemTime.monotonicMs() < untilMs) {
            SystemTime.pause(Duration.ofMillis(20));
            found = describe(names());
        }
        Map<String, TopicCatalog.Entry> entries = new HashMap<>();
        found.forEach((name, description) -> entries.put(
                name,
                new TopicCatalog.Entry(
                        description.topicId(), description.partitions().size())));
        for (String name : names()) {
            if (!entries.containsKey(name)) {
                throw new JobStoppedException("topic %s was created but cannot be seen %d s later; is the cluster well?"
                        .formatted(name, Clients.CALL_TIMEOUT.toSeconds()));
            }
        }
        return new TopicCatalog(AdminCalls.get(admin.describeCluster().clusterId()), Map.copyOf(entries));
    }
}
