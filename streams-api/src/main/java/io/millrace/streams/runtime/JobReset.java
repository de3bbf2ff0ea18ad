package io.millrace.streams.runtime;

import io.millrace.streams.Job;
import io.millrace.streams.plan.Plan;
import io.millrace.streams.plan.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Makes a job compute again from an earlier point: what it reads goes there, what is on the way between its stages is
 * passed over, since it will be made again, and its states begin anew. Outputs that are there stay there, and sinks go on
 * where their ledger is. Every step can be repeated, so a reset that broke off is simply run again.
 */
final class JobReset {
    private final Plan plan;
    private final Admin admin;

    private JobReset(Plan plan, Admin admin) {
        this.plan = plan;
        this.admin = admin;
    }

    /** Returns the offsets that the job will begin at. */
    static Map<String, Long> run(Job job, JobSettings settings, OffsetSpec target) {
        Plan plan = Plan.of(job);
        try (Admin admin = new Clients(settings).admin()) {
            return new JobReset(plan, admin).run(target);
        } catch (KafkaException e) {
            throw new JobStoppedException(
                    "job %s could not be reset: %s. Repeat the command".formatted(job.name(), e.getMessage()), e);
        }
    }

    private Map<String, Long> run(OffsetSpec target) {
        checkStopped();
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        Set<String> inputs = plan.sources().stream().map(topic -> topic.name()).collect(Collectors.toSet());
        for (Stage.OfLog stage : plan.logStages()) {
            for (TopicPartition partition : partitions(stage.name())) {
                asked.put(partition, inputs.contains(stage.name()) ? target : OffsetSpec.latest());
            }
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        resolve(asked).forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
        deleteChangelogs();
        AdminCalls.get(
                admin.alterConsumerGroupOffsets(plan.job().name(), offsets).all());
        Map<String, Long> begins = new TreeMap<>();
        offsets.forEach((partition, offset) -> {
            if (inputs.contains(partition.topic())) {
                begins.put(partition.toString(), offset.offset());
            }
        });
        return begins;
    }

    private void checkStopped() {
        String group = plan.job().name();
        try {
            ConsumerGroupDescription description = AdminCalls.get(
                            admin.describeConsumerGroups(List.of(group)).all())
                    .get(group);
            if (!description.members().isEmpty()) {
                throw new JobStoppedException(
                        "job %s is running, with %d members in its group; stop it everywhere, then reset it"
                                .formatted(group, description.members().size()));
            }
        } catch (GroupIdNotFoundException e) {
            // it has never run, or long ago
        }
    }

    private List<TopicPartition> partitions(String topic) {
        List<TopicPartition> partitions = new ArrayList<>();
        AdminCalls.get(admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
                .partitions()
                .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        return partitions;
    }

    /** A time behind the last record stands for the end. */
    private Map<TopicPartition, Long> resolve(Map<TopicPartition, OffsetSpec> asked) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        AdminCalls.get(admin.listOffsets(asked).all()).forEach((partition, info) -> {
            offsets.put(partition, info.offset());
            if (info.offset() < 0) {
                ends.put(partition, OffsetSpec.latest());
            }
        });
        Map<TopicPartition, ListOffsetsResultInfo> found = ends.isEmpty()
                ? Map.of()
                : AdminCalls.get(admin.listOffsets(ends).all());
        found.forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    /** They are created anew at the next start, with another id; by that the stores on disk know that they are outdated. */
    private void deleteChangelogs() {
        List<String> changelogs = plan.logStages().stream()
                .flatMap(stage -> stage.states().stream())
                .map(plan::changelogTopic)
                .toList();
        for (KafkaFuture<Void> deleted :
                admin.deleteTopics(changelogs).topicNameValues().values()) {
            try {
                AdminCalls.get(deleted);
            } catch (UnknownTopicOrPartitionException e) {
                // deleted by the reset that broke off
            }
        }
        changelogs.forEach(this::awaitGone);
    }

    /** The next start must not take a topic that is about to vanish for one that is there. */
    private void awaitGone(String topic) {
        long untilMs = SystemTime.monotonicMs() + Clients.CALL_TIMEOUT.toMillis();
        while (SystemTime.monotonicMs() < untilMs) {
            try {
                partitions(topic);
                SystemTime.pause(Duration.ofMillis(50));
            } catch (UnknownTopicOrPartitionException e) {
                return;
            }
        }
        throw new JobStoppedException("topic %s was deleted but is still there %d s later; repeat the command"
                .formatted(topic, Clients.CALL_TIMEOUT.toSeconds()));
    }
}
