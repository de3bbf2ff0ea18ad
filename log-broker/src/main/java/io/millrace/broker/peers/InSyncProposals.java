package io.millrace.broker.peers;

import io.millrace.broker.partition.InSyncAgreement;
import io.millrace.broker.replication.LeaderState;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterPartitionRequestData.BrokerState;
import org.apache.kafka.common.message.AlterPartitionRequestData.PartitionData;
import org.apache.kafka.common.message.AlterPartitionRequestData.TopicData;
import org.apache.kafka.common.message.AlterPartitionResponseData;

/**
 * Asks the controller to change in-sync sets (KIP-497, KIP-903). What comes up while a question is under way goes into
 * one request when it is answered: a broker that stalls is missed by all its partitions at once. Any thread.
 */
public final class InSyncProposals implements InSyncAgreement {
    private static final long PATIENCE_MS = 1_000;
    private static final int MOST = 1_000;

    private final ControllerLine controller;
    private final int self;
    private final LongSupplier brokerEpoch;
    private final List<Question> waiting = new ArrayList<>();
    private boolean asking;

    /** @param brokerEpoch under which this broker is registered */
    public InSyncProposals(ControllerLine controller, int self, LongSupplier brokerEpoch) {
        this.controller = controller;
        this.self = self;
        this.brokerEpoch = brokerEpoch;
    }

    @Override
    public CompletionStage<ErrorCode> propose(TopicIdPartition partition, LeaderState.Proposal proposal) {
        Question question = new Question(partition, proposal, new CompletableFuture<>());
        synchronized (waiting) {
            waiting.add(question);
        }
        askNext(false);
        return question.answer();
    }

    /** @param answered whether the question that was under way is over */
    private void askNext(boolean answered) {
        List<Question> next;
        synchronized (waiting) {
            asking &= !answered;
            if (asking || waiting.isEmpty()) {
                return;
            }
            asking = true;
            List<Question> first = waiting.subList(0, Math.min(MOST, waiting.size()));
            next = List.copyOf(first);
            first.clear();
        }
        ask(next);
    }

    private void ask(List<Question> questions) {
        controller
                .ask(request(questions), AlterPartitionResponseData.class, PATIENCE_MS)
                .whenComplete((response, failure) -> {
                    if (failure == null) {
                        answer(questions, response);
                    } else {
                        questions.forEach(question -> question.answer().completeExceptionally(failure));
                    }
                    askNext(true);
                });
    }

    private AlterPartitionRequestData request(List<Question> questions) {
        Map<Uuid, TopicData> topics = new HashMap<>();
        AlterPartitionRequestData request =
                new AlterPartitionRequestData().setBrokerId(self).setBrokerEpoch(brokerEpoch.getAsLong());
        for (Question question : questions) {
            Uuid id = question.partition().topicId();
            TopicData topic = topics.computeIfAbsent(id, unknown -> {
                TopicData made = new TopicData().setTopicId(id);
                request.topics().add(made);
                return made;
            });
            topic.partitions().add(question.change());
        }
        return request;
    }

    private static void answer(List<Question> questions, AlterPartitionResponseData response) {
        if (response.errorCode() != ErrorCode.NONE.code()) {
            ErrorCode refusal = ErrorCode.of(response.errorCode());
            questions.forEach(question -> question.answer().complete(refusal));
            return;
        }
        Map<Uuid, Map<Integer, Short>> errors = new HashMap<>();
        response.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> errors.computeIfAbsent(topic.topicId(), id -> new HashMap<>())
                                .put(partition.partitionIndex(), partition.errorCode())));
        for (Question question : questions) {
            Short own = errors.getOrDefault(question.partition().topicId(), Map.of())
                    .get(question.partition().partition());
            question.answer().complete(own == null ? ErrorCode.UNKNOWN_SERVER_ERROR : ErrorCode.of(own));
        }
    }

    private record Question(
            TopicIdPartition partition, LeaderState.Proposal proposal, CompletableFuture<ErrorCode> answer) {
        PartitionData change() {
            List<BrokerState> inSync = proposal.inSync().entrySet().stream()
                    .map(member ->
                            new BrokerState().setBrokerId(member.getKey()).setBrokerEpoch(member.getValue()))
                    .toList();
            return new PartitionData()
                    .setPartitionIndex(partition.partition())
                    .setLeaderEpoch(proposal.leaderEpoch())
                    .setPartitionEpoch(proposal.partitionEpoch())
                    .setNewIsrWithEpochs(inSync);
        }
    }
}
