package io.millrace.streams.runtime;

import io.millrace.streams.plan.Plan;
import io.millrace.streams.plan.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Compares what each stage's group has committed with the ends of its topic. Used by one thread at a time. */
final class Lag {
    private static final int MOMENTS = 600;

    /** The stages' lags, and the ends that they were measured against. */
    record Reading(List<JobStatus.StageLag> stages, Map<TopicPartition, Long> ends) {
        boolean isZero() {
            return stages.stream().allMatch(stage -> stage.records() == 0);
        }
    }

    private record Moment(long atMs, long end) {}

    private final Admin admin;
    private final Plan plan;
    private final TopicCatalog topics;
    private final Map<String, Deque<Moment>> history = new HashMap<>();

    Lag(Admin admin, Plan plan, TopicCatalog topics) {
        this.admin = admin;
        this.plan = plan;
        this.topics = topics;
    }

    Reading read() {
        List<Stage> stages = new ArrayList<>(plan.logStages());
        stages.addAll(plan.sinkStages());
        List<JobStatus.StageLag> lags = new ArrayList<>();
        Map<TopicPartition, Long> allEnds = new HashMap<>();
        for (Stage stage : stages) {
            // first what is committed, then the ends: a lag of zero was true at the later moment of the two
            Map<TopicPartition, OffsetAndMetadata> committed =
                    AdminCalls.get(admin.listConsumerGroupOffsets(stage.group()).partitionsToOffsetAndMetadata());
            Map<TopicPartition, Long> ends = offsets(stage, OffsetSpec.latest());
            Map<TopicPartition, Long> begins =
                    committed.keySet().containsAll(ends.keySet()) ? Map.of() : offsets(stage, OffsetSpec.earliest());
            long read = 0;
            long end = 0;
            for (TopicPartition partition : ends.keySet()) {
                OffsetAndMetadata offset = committed.get(partition);
                read += offset == null ? begins.get(partition) : offset.offset();
                end += ends.get(partition);
            }
            allEnds.putAll(ends);
            lags.add(new JobStatus.StageLag(stage.name(), Math.max(0, end - read), secondsSince(stage, read, end)));
        }
        return new Reading(lags, allEnds);
    }

    /** Record timestamps say when something happened, not when it was written; so the ends themselves are watched. */
    private double secondsSince(Stage stage, long read, long end) {
        Deque<Moment> moments = history.computeIfAbsent(stage.group() + stage.name(), key -> new ArrayDeque<>());
        long nowMs = SystemTime.monotonicMs();
        moments.addLast(new Moment(nowMs, end));
        while (moments.size() > MOMENTS
                || (moments.size() > 1 && moments.peekFirst().end() < read)) {
            moments.removeFirst();
        }
        return read >= end ? 0 : (nowMs - moments.peekFirst().atMs()) / 1000.0;
    }

    private Map<TopicPartition, Long> offsets(Stage stage, OffsetSpec spec) {
        String topic = stage.source().name();
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        for (int partition = 0; partition < topics.topics().get(topic).partitions(); partition++) {
            asked.put(new TopicPartition(topic, partition), spec);
        }
        Map<TopicPartition, Long> offsets = new HashMap<>();
        AdminCalls.get(admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all())
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }
}
