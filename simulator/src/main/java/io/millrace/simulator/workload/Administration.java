package io.millrace.simulator.workload;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.simulator.client.AdminRequests;
import io.millrace.simulator.client.Client;
import io.millrace.simulator.client.NoAnswer;
import io.millrace.simulator.client.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * An operator who moves partitions, stops moving them, elects preferred leaders, takes brokers out, one at a time, and
 * throttles replication, all under load. In the end every broker is let in again, nothing is throttled, and what is under
 * way has to come to its end by itself. A request that was given up may still be on its way, and be carried out behind
 * later ones, so the operator goes on looking.
 */
public final class Administration extends Turns {
    private static final int MAX_PAUSE_MS = 4_000;
    private static final int NOBODY = 0;
    private static final long LEAST_RATE = 100;
    private static final int RATES = 10;

    /** What may be wrong with a request by the time it arrives. */
    private static final Set<Errors> OUT_OF_DATE = Set.of(
            Errors.NO_REASSIGNMENT_IN_PROGRESS,
            Errors.INVALID_REPLICA_ASSIGNMENT,
            Errors.INVALID_REPLICATION_FACTOR,
            Errors.ELECTION_NOT_NEEDED,
            Errors.PREFERRED_LEADER_NOT_AVAILABLE);

    private final List<TopicPartition> partitions;
    private final List<String> topics;
    private final int brokers;
    private final int replicas;
    private final Supplier<ClusterImage> image;
    private int drained = NOBODY;
    private boolean throttled;

    /** @param image the cluster as it is at the moment */
    public Administration(
            Bench bench, List<TopicPartition> partitions, int brokers, int replicas, Supplier<ClusterImage> image) {
        super(bench);
        this.image = image;
        this.partitions = partitions;
        this.topics = partitions.stream().map(TopicPartition::topic).distinct().toList();
        this.brokers = brokers;
        this.replicas = replicas;
    }

    @Override
    public void start() {
        pause(MAX_PAUSE_MS, this::act);
    }

    @Override
    boolean isOver() {
        return false;
    }

    @Override
    public boolean isIdle() {
        return isStopped() && drainedNow().isEmpty() && !isThrottledNow();
    }

    private void act() {
        if (isStopped()) {
            tidyUp();
        } else if (drained != NOBODY && bench().client().chance(3) == 0) {
            admit();
        } else if (throttled && bench().client().chance(3) == 0) {
            throttle(null);
        } else if (drained == NOBODY && bench().client().chance(6) == 0) {
            drain();
        } else if (!throttled && bench().client().chance(6) == 0) {
            throttle(LEAST_RATE << bench().client().chance(RATES));
        } else {
            move();
        }
    }

    private void move() {
        switch (bench().client().chance(5)) {
            case 0 -> once(this::elect);
            case 1 -> once(() -> reassign(null));
            default -> once(() -> reassign(anyReplicas()));
        }
    }

    /** Once, for by the next time something else may be better. */
    private void once(Supplier<CompletableFuture<Void>> request) {
        request.get()
                .whenComplete((done, failure) -> bench().guard(() -> {
                    Throwable cause = Client.cause(failure);
                    boolean expected = cause == null
                            || cause instanceof NoAnswer
                            || (cause instanceof Refused refused && OUT_OF_DATE.contains(refused.error()));
                    if (!expected) {
                        bench().unexpected().accept(cause);
                    } else {
                        pause(MAX_PAUSE_MS, this::act);
                    }
                }));
    }

    private List<Integer> anyReplicas() {
        List<Integer> all =
                new ArrayList<>(IntStream.rangeClosed(1, brokers).boxed().toList());
        List<Integer> chosen = new ArrayList<>();
        while (chosen.size() < replicas) {
            chosen.add(all.remove(bench().client().chance(all.size())));
        }
        return chosen;
    }

    private CompletableFuture<Void> reassign(List<Integer> target) {
        TopicPartition partition = partitions.get(bench().client().chance(partitions.size()));
        return bench().client()
                .call(
                        bench().client().anyBroker(),
                        AdminRequests.reassign(partition, target),
                        AdminRequests.REASSIGN,
                        AlterPartitionReassignmentsResponseData.class)
                .thenAccept(answer -> {
                    bench().client().check("reassignment", answer.errorCode());
                    bench().client()
                            .check(
                                    "reassignment of " + partition + " to " + target,
                                    answer.responses()
                                            .get(0)
                                            .partitions()
                                            .get(0)
                                            .errorCode());
                });
    }

    private CompletableFuture<Void> elect() {
        return bench().client()
                .call(
                        bench().client().anyBroker(),
                        AdminRequests.electPreferred(),
                        AdminRequests.ELECT,
                        ElectLeadersResponseData.class)
                .thenAccept(answer -> {
                    bench().client().check("election", answer.errorCode());
                    answer.replicaElectionResults()
                            .forEach(topic -> topic.partitionResult()
                                    .forEach(one ->
                                            bench().client().check("election for " + topic.topic(), one.errorCode())));
                });
    }

    private void tidyUp() {
        List<Integer> leftOver = drainedNow();
        if (!leftOver.isEmpty()) {
            drained = leftOver.get(0);
            admit();
        } else if (isThrottledNow()) {
            throttle(null);
        } else {
            pause(MAX_PAUSE_MS, this::act);
        }
    }

    private List<Integer> drainedNow() {
        return image.get().brokers().values().stream()
                .filter(BrokerImage::drained)
                .map(BrokerImage::id)
                .toList();
    }

    private boolean isThrottledNow() {
        return image.get().settings().values().stream()
                .anyMatch(set -> set.containsKey(BrokerSettings.FOLLOWER_THROTTLED_RATE));
    }

    private void drain() {
        drained = bench().client().anyBroker();
        bench().then(
                        bench().client().insist(() -> setDrained(drained, true)),
                        done -> pause(2 * MAX_PAUSE_MS, this::act));
    }

    private void admit() {
        bench().then(bench().client().insist(() -> setDrained(drained, false)), done -> {
            drained = NOBODY;
            pause(MAX_PAUSE_MS, this::act);
        });
    }

    private CompletableFuture<Void> setDrained(int broker, boolean on) {
        return change("drain of " + broker, AdminRequests.drain(broker, on));
    }

    /** @param bytesPerSecond null to end it */
    private void throttle(Long bytesPerSecond) {
        IncrementalAlterConfigsRequestData request = AdminRequests.throttle(topics, bytesPerSecond);
        bench().then(bench().client().insist(() -> change("throttle", request)), done -> {
            throttled = bytesPerSecond != null;
            pause(MAX_PAUSE_MS, this::act);
        });
    }

    private CompletableFuture<Void> change(String what, IncrementalAlterConfigsRequestData request) {
        return bench().client()
                .call(
                        bench().client().anyBroker(),
                        request,
                        AdminRequests.SET,
                        IncrementalAlterConfigsResponseData.class)
                .thenAccept(answer ->
                        answer.responses().forEach(one -> bench().client().check(what, one.errorCode())));
    }

    @Override
    public String toString() {
        return "administration, drained " + drained + ", throttled " + throttled;
    }
}
