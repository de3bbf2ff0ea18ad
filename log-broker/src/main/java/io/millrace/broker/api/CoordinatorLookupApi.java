package io.millrace.broker.api;

import io.millrace.broker.coordination.Coordinators;
import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.Outcome;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;

/** Where the coordinator of a group or a transaction is. The topic that holds its events is made at first use. */
final class CoordinatorLookupApi {
    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final short BATCHED_SINCE = 4;

    private final ApiContext context;
    private final TopicCreation creation;

    CoordinatorLookupApi(ApiContext context, TopicCreation creation) {
        this.context = context;
        this.creation = creation;
    }

    CompletableFuture<FindCoordinatorResponseData> find(RequestContext request) {
        FindCoordinatorRequestData body = request.body(FindCoordinatorRequestData.class);
        boolean batched = request.version() >= BATCHED_SINCE;
        List<CompletableFuture<Coordinator>> found = new ArrayList<>();
        for (String key : batched ? body.coordinatorKeys() : List.of(body.key())) {
            found.add(find(request, key, body.keyType()));
        }
        return Gather.all(found).thenApply(all -> {
            FindCoordinatorResponseData response = new FindCoordinatorResponseData();
            if (batched) {
                return response.setCoordinators(all);
            }
            Coordinator one = all.get(0);
            return response.setErrorCode(one.errorCode())
                    .setErrorMessage(one.errorMessage())
                    .setNodeId(one.nodeId())
                    .setHost(one.host())
                    .setPort(one.port());
        });
    }

    private CompletableFuture<Coordinator> find(RequestContext request, String key, byte type) {
        if (type == GROUP) {
            return find(request, key, TopicImage.OFFSETS, context.groups());
        } else if (type == TRANSACTION && !key.isEmpty()) {
            return find(request, key, TopicImage.TRANSACTIONS, context.transactions());
        }
        String message = type == TRANSACTION
                ? "a transactional id must not be empty"
                : "there are coordinators of type 0 (groups) and 1 (transactions), not " + type;
        return Gather.now(failed(key, ErrorCode.INVALID_REQUEST, message));
    }

    private CompletableFuture<Coordinator> find(
            RequestContext request, String key, String topic, Coordinators<?, ?, ?> coordinators) {
        return creation.ensure(topic).thenApply(outcome -> {
            if (outcome instanceof Outcome.Refused<TopicImage> refused) {
                return failed(key, ErrorCode.COORDINATOR_NOT_AVAILABLE, refused.message());
            }
            ClusterImage image = context.image();
            TopicPartition responsible = coordinators.responsible(key);
            PartitionImage partition = image.partition(responsible.topic(), responsible.partition());
            BrokerImage leader = image.broker(partition.leader());
            PartitionRegistry.Place place = context.partitions().find(responsible);
            if (place != null && place.partition().isCutOff()) {
                request.memory().end(); // who is sent away by a coordinator in name alone asks another broker then
            }
            if (leader == null) {
                return failed(key, ErrorCode.COORDINATOR_NOT_AVAILABLE, responsible + " has no leader");
            }
            return new Coordinator()
                    .setKey(key)
                    .setNodeId(leader.id())
                    .setHost(leader.host())
                    .setPort(leader.port());
        });
    }

    private static Coordinator failed(String key, ErrorCode error, String message) {
        return new Coordinator()
                .setKey(key)
                .setErrorCode(error.code())
                .setErrorMessage(message)
                .setNodeId(-1)
                .setHost("")
                .setPort(-1);
    }
}
