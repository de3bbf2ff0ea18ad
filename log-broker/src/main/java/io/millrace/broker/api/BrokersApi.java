package io.millrace.broker.api;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ControllerCommand;
import io.millrace.broker.metadata.ControllerCommand.HeartbeatAnswer;
import io.millrace.broker.metadata.ControllerCommand.InSyncChange;
import io.millrace.broker.metadata.ControllerCommand.InSyncMember;
import io.millrace.broker.metadata.NotController;
import io.millrace.broker.metadata.Outcome;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterPartitionResponseData;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.UnregisterBrokerResponseData;

/** What brokers ask of the controller: to be known, to be believed alive, to change who is in sync. */
final class BrokersApi {
    private static final int PRODUCER_IDS = 1000;

    private final ApiContext context;

    BrokersApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<BrokerRegistrationResponseData> register(RequestContext request) {
        BrokerRegistrationRequestData body = request.body(BrokerRegistrationRequestData.class);
        BrokerRegistrationResponseData response = new BrokerRegistrationResponseData().setBrokerEpoch(-1);
        if (!body.clusterId().equals(context.image().clusterId())) {
            return Gather.now(response.setErrorCode(ErrorCode.INCONSISTENT_CLUSTER_ID.code()));
        }
        if (body.listeners().isEmpty()) {
            return Gather.now(response.setErrorCode(ErrorCode.INVALID_REQUEST.code()));
        }
        BrokerRegistrationRequestData.Listener listener =
                body.listeners().iterator().next();
        BrokerImage known = context.image().broker(body.brokerId());
        boolean clean = known == null || known.epoch() == body.previousBrokerEpoch();
        return context.controller()
                .<Outcome<BrokerImage>>ask(reply -> new ControllerCommand.RegisterBroker(
                        body.brokerId(),
                        listener.host(),
                        listener.port(),
                        body.rack() == null ? "" : body.rack(),
                        body.incarnationId(),
                        clean,
                        context.alone() && body.brokerId() == context.nodeId(),
                        reply))
                .thenApply(outcome -> outcome instanceof Outcome.Done<BrokerImage> done
                        ? response.setBrokerEpoch(done.value().epoch())
                        : response.setErrorCode(outcome.error().code()));
    }

    /** The connection that a broker's heartbeats come by ends with its process, if not before. */
    void watch(RequestContext request) {
        BrokerHeartbeatRequestData body = request.body(BrokerHeartbeatRequestData.class);
        Watched known = request.memory().kept(Watched.class);
        if (known == null || known.epoch != body.brokerEpoch()) {
            Watched watched = new Watched(body.brokerId(), body.brokerEpoch());
            request.memory().keep(Watched.class, watched);
        }
    }

    /**
     * Only the controller answers, and no other broker passes a heartbeat on: it might wait on the way for a network that
     * was cut, and arrive when its sender has long been silent.
     */
    CompletableFuture<BrokerHeartbeatResponseData> heartbeat(RequestContext request) {
        BrokerHeartbeatRequestData body = request.body(BrokerHeartbeatRequestData.class);
        return context.controller()
                .<Outcome<HeartbeatAnswer>>ask(reply -> new ControllerCommand.Heartbeat(
                        body.brokerId(),
                        body.brokerEpoch(),
                        body.currentMetadataOffset(),
                        !body.wantFence(),
                        body.wantFence(),
                        body.wantShutDown(),
                        reply))
                .thenApply(outcome -> outcome instanceof Outcome.Done<HeartbeatAnswer> done
                        ? new BrokerHeartbeatResponseData()
                                .setIsCaughtUp(done.value().caughtUp())
                                .setIsFenced(done.value().fenced())
                                .setShouldShutDown(done.value().shouldStop())
                        : new BrokerHeartbeatResponseData()
                                .setErrorCode(outcome.error().code()))
                .exceptionally(failure -> {
                    if (failure.getCause() instanceof NotController) {
                        return new BrokerHeartbeatResponseData().setErrorCode(ErrorCode.NOT_CONTROLLER.code());
                    }
                    throw new CompletionException(failure);
                });
    }

    CompletableFuture<UnregisterBrokerResponseData> unregister(RequestContext request) {
        UnregisterBrokerRequestData body = request.body(UnregisterBrokerRequestData.class);
        return context.controller()
                .<Outcome<BrokerImage>>ask(reply -> new ControllerCommand.Unregister(body.brokerId(), reply))
                .thenApply(outcome -> new UnregisterBrokerResponseData()
                        .setErrorCode(outcome.error().code())
                        .setErrorMessage(outcome.message()));
    }

    CompletableFuture<AllocateProducerIdsResponseData> producerIds(RequestContext request) {
        return context.controller()
                .<Long>ask(reply -> new ControllerCommand.TakeProducerIds(PRODUCER_IDS, reply))
                .thenApply(first -> new AllocateProducerIdsResponseData()
                        .setProducerIdStart(first)
                        .setProducerIdLen(PRODUCER_IDS));
    }

    CompletableFuture<AlterPartitionResponseData> alterPartitions(RequestContext request) {
        AlterPartitionRequestData body = request.body(AlterPartitionRequestData.class);
        List<InSyncChange> changes = new ArrayList<>();
        body.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> changes.add(new InSyncChange(
                                topic.topicId(),
                                partition.partitionIndex(),
                                partition.leaderEpoch(),
                                partition.partitionEpoch(),
                                members(partition)))));
        return context.controller()
                .<Outcome<List<Outcome<PartitionImage>>>>ask(reply ->
                        new ControllerCommand.AlterPartitions(body.brokerId(), body.brokerEpoch(), changes, reply))
                .thenApply(outcome -> outcome instanceof Outcome.Done<List<Outcome<PartitionImage>>> done
                        ? altered(changes, done.value())
                        : new AlterPartitionResponseData()
                                .setErrorCode(outcome.error().code()));
    }

    /** Versions before 3 name brokers without the epochs of their registrations. */
    private static List<InSyncMember> members(AlterPartitionRequestData.PartitionData partition) {
        if (!partition.newIsr().isEmpty()) {
            return partition.newIsr().stream()
                    .map(broker -> new InSyncMember(broker, InSyncMember.ANY_EPOCH))
                    .toList();
        }
        return partition.newIsrWithEpochs().stream()
                .map(member -> new InSyncMember(member.brokerId(), member.brokerEpoch()))
                .toList();
    }

    private static AlterPartitionResponseData altered(
            List<InSyncChange> changes, List<Outcome<PartitionImage>> outcomes) {
        Map<Uuid, AlterPartitionResponseData.TopicData> topics = new LinkedHashMap<>();
        for (int i = 0; i < changes.size(); i++) {
            InSyncChange change = changes.get(i);
            AlterPartitionResponseData.PartitionData answer = new AlterPartitionResponseData.PartitionData()
                    .setPartitionIndex(change.partition())
                    .setErrorCode(outcomes.get(i).error().code());
            if (outcomes.get(i) instanceof Outcome.Done<PartitionImage> done) {
                answer.setLeaderId(done.value().leader())
                        .setLeaderEpoch(done.value().leaderEpoch())
                        .setIsr(done.value().inSync())
                        .setPartitionEpoch(done.value().partitionEpoch());
            }
            topics.computeIfAbsent(
                            change.topicId(), topic -> new AlterPartitionResponseData.TopicData().setTopicId(topic))
                    .partitions()
                    .add(answer);
        }
        return new AlterPartitionResponseData().setTopics(new ArrayList<>(topics.values()));
    }

    /** A broker whose heartbeats come by a connection. */
    private final class Watched implements AutoCloseable {
        private final int broker;
        private final long epoch;

        Watched(int broker, long epoch) {
            this.broker = broker;
            this.epoch = epoch;
        }

        @Override
        public void close() {
            context.deathWatch().lost(broker, epoch);
        }
    }
}
