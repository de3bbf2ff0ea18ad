package io.millrace.broker.api;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.metadata.TopicImage;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.broker.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;

/** Records go out: from the page cache to the socket, without passing through this process. */
final class FetchApi {
    private static final int NO_SESSION = 0;
    private static final int FIRST_EPOCH = 0;
    private static final int LAST_EPOCH = -1;
    private static final short LEADERS_SINCE = 16;

    private final ApiContext context;
    private final AtomicInteger sessions = new AtomicInteger();

    FetchApi(ApiContext context) {
        this.context = context;
    }

    CompletableFuture<FetchResponseData> fetch(RequestContext request) {
        FetchRequestData body = request.body(FetchRequestData.class);
        FetchSession session = request.memory().kept(FetchSession.class);
        boolean full = body.sessionEpoch() == FIRST_EPOCH || body.sessionEpoch() == LAST_EPOCH;
        if (full) {
            request.memory().keep(FetchSession.class, null);
            List<FetchWanted> wanted = wanted(body);
            return read(request, body, wanted, null).thenApply(read -> {
                FetchSession opened = body.sessionEpoch() == FIRST_EPOCH ? open(request, wanted) : null;
                read.forEach(part -> {
                    if (opened != null) {
                        opened.tell(part.wanted().key(), part.data());
                    }
                });
                return response(request, read).setSessionId(opened == null ? NO_SESSION : opened.id());
            });
        }
        if (session == null || session.id() != body.sessionId()) {
            return Gather.now(failed(ErrorCode.FETCH_SESSION_ID_NOT_FOUND));
        }
        if (session.nextEpoch() != body.sessionEpoch()) {
            return Gather.now(failed(ErrorCode.INVALID_FETCH_SESSION_EPOCH).setSessionId(session.id()));
        }
        wanted(body).forEach(session::want);
        forgotten(body).forEach(session::forget);
        session.advance();
        return read(request, body, session.all(), session).thenApply(read -> {
            List<FetchRead.Part> news = read.stream()
                    .filter(part -> session.tell(part.wanted().key(), part.data()))
                    .toList();
            return response(request, news).setSessionId(session.id());
        });
    }

    /** Null where no more sessions are remembered; the client then says everything each time. */
    private FetchSession open(RequestContext request, List<FetchWanted> wanted) {
        if (wanted.isEmpty()) {
            return null;
        }
        if (sessions.incrementAndGet() > context.settings().number(BrokerSettings.FETCH_SESSIONS)) {
            sessions.decrementAndGet();
            return null;
        }
        int id = 1 + context.host().entropy().nextInt(Integer.MAX_VALUE - 1);
        FetchSession session = new FetchSession(id, sessions);
        wanted.forEach(session::want);
        request.memory().keep(FetchSession.class, session);
        return session;
    }

    private List<FetchWanted> wanted(FetchRequestData body) {
        ClusterImage image = context.image();
        List<FetchWanted> wanted = new ArrayList<>();
        for (FetchTopic topic : body.topics()) {
            String name = Topics.name(image, topic.topic(), topic.topicId());
            for (FetchPartition partition : topic.partitions()) {
                wanted.add(FetchWanted.of(topic.topicId(), name, partition));
            }
        }
        return wanted;
    }

    private static List<FetchWanted.Key> forgotten(FetchRequestData body) {
        List<FetchWanted.Key> keys = new ArrayList<>();
        for (ForgottenTopic topic : body.forgottenTopicsData()) {
            topic.partitions()
                    .forEach(partition -> keys.add(FetchWanted.Key.of(topic.topicId(), topic.topic(), partition)));
        }
        return keys;
    }

    private CompletableFuture<List<FetchRead.Part>> read(
            RequestContext request, FetchRequestData body, List<FetchWanted> wanted, FetchSession session) {
        List<FetchWanted> known = session == null ? wanted : renamed(wanted);
        return new PendingFetch(context, request, body, known).start();
    }

    /** Topics may have come to be, or be gone, since a session first named them. */
    private List<FetchWanted> renamed(List<FetchWanted> wanted) {
        ClusterImage image = context.image();
        List<FetchWanted> renamed = new ArrayList<>(wanted.size());
        for (FetchWanted one : wanted) {
            if (one.name() != null || !Topics.isGiven(one.topicId())) {
                renamed.add(one);
            } else {
                TopicImage topic = image.topic(one.topicId());
                renamed.add(topic == null ? one : FetchWanted.of(one.topicId(), topic.name(), one.request()));
            }
        }
        return renamed;
    }

    private FetchResponseData response(RequestContext request, List<FetchRead.Part> parts) {
        FetchResponseData response = new FetchResponseData();
        FetchableTopicResponse topic = null;
        for (FetchRead.Part part : parts) {
            FetchWanted wanted = part.wanted();
            boolean same = topic != null
                    && topic.topicId().equals(wanted.topicId())
                    && (Topics.isGiven(wanted.topicId()) || topic.topic().equals(wanted.name()));
            if (!same) {
                topic = new FetchableTopicResponse().setTopic(wanted.name()).setTopicId(wanted.topicId());
                response.responses().add(topic);
            }
            topic.partitions().add(part.data());
        }
        if (request.version() >= LEADERS_SINCE) {
            tellLeaders(response);
        }
        return response;
    }

    private void tellLeaders(FetchResponseData response) {
        CurrentLeaders leaders = new CurrentLeaders(context.image());
        for (FetchableTopicResponse topic : response.responses()) {
            String name = Topics.name(context.image(), topic.topic(), topic.topicId());
            for (PartitionData partition : topic.partitions()) {
                PartitionImage now =
                        leaders.worthTelling(ErrorCode.of(partition.errorCode()), name, partition.partitionIndex());
                if (now != null) {
                    partition.setCurrentLeader(new FetchResponseData.LeaderIdAndEpoch()
                            .setLeaderId(now.leader())
                            .setLeaderEpoch(now.leaderEpoch()));
                }
            }
        }
        leaders.endpoints()
                .forEach(broker -> response.nodeEndpoints()
                        .add(new FetchResponseData.NodeEndpoint()
                                .setNodeId(broker.id())
                                .setHost(broker.host())
                                .setPort(broker.port())
                                .setRack(CurrentLeaders.rack(broker))));
    }

    private static FetchResponseData failed(ErrorCode error) {
        return new FetchResponseData().setErrorCode(error.code());
    }
}
