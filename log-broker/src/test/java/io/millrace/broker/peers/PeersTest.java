package io.millrace.broker.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.server.BrokerServer;
import io.millrace.broker.server.Dispatch;
import io.millrace.kernel.Host;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions to another broker that answers some of them late. */
class PeersTest {
    private static final int OTHER = 2;
    private static final int PORT = 9092;
    private static final long SOON_MS = 1_000;

    private final SimWorld world = new SimWorld(1);
    private final List<CompletableFuture<ApiMessage>> markers = new ArrayList<>(); // as they were asked for
    private final Peers peers;

    PeersTest() {
        Host other = world.machine("other", new SimDisk()).boot();
        BrokerServer.bind(other.network(), "other", PORT, 1 << 20)
                .serve(new Dispatch(Map.of(
                        ApiKeys.BROKER_HEARTBEAT.id,
                        request -> CompletableFuture.completedFuture(new BrokerHeartbeatResponseData()),
                        ApiKeys.WRITE_TXN_MARKERS.id,
                        request -> later())));
        BrokerImage known =
                new BrokerImage(OTHER, "other", PORT, "", 1, Uuid.ONE_UUID, BrokerImage.State.ACTIVE, false);
        peers = new Peers(
                world.machine("this", new SimDisk()).boot(), 1, () -> ClusterImage.empty("c"), Map.of(OTHER, known));
    }

    private CompletableFuture<ApiMessage> later() {
        CompletableFuture<ApiMessage> answer = new CompletableFuture<>();
        markers.add(answer);
        return answer;
    }

    @AfterEach
    void close() {
        peers.close();
    }

    private CompletableFuture<WriteTxnMarkersResponseData> writeMarkers() {
        return peers.call(
                OTHER, new WriteTxnMarkersRequestData().setMarkers(List.of()), WriteTxnMarkersResponseData.class);
    }

    @Test
    void an_answer_that_comes_late_does_not_hold_up_those_to_other_kinds_of_questions() {
        CompletableFuture<WriteTxnMarkersResponseData> late = writeMarkers();
        assertThat(world.runUntil(() -> markers.size() == 1, SOON_MS)).isTrue();

        CompletableFuture<BrokerHeartbeatResponseData> heartbeat =
                peers.call(OTHER, new BrokerHeartbeatRequestData(), BrokerHeartbeatResponseData.class);

        assertThat(world.runUntil(heartbeat::isDone, SOON_MS)).isTrue();
        assertThat(late).isNotDone();
        markers.get(0).complete(new WriteTxnMarkersResponseData());
        assertThat(world.runUntil(late::isDone, SOON_MS)).isTrue();
    }
}
