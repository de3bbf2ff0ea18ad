package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes that make no sense end their own connection and harm nobody else. */
class BadFramesTest extends BrokerTestCase {
    private WireClient bystander;
    private Set<String> threads;

    @BeforeEach
    void connectBystander() throws IOException {
        bystander = new WireClient(broker.bootstrap());
        askVersions(bystander);
        try (WireClient warmUp = new WireClient(broker.bootstrap())) {
            askVersions(warmUp);
        }
        threads = threads();
    }

    @AfterEach
    void the_bystander_is_served_and_no_thread_is_left_behind() throws IOException {
        askVersions(bystander);
        bystander.close();
        Awaitility.await("threads are " + threads).atMost(Clients.PATIENCE).until(() -> threads.containsAll(threads()));
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("millrace-"))
                .collect(Collectors.toSet());
    }

    static ApiVersionsRequestData versions() {
        return new ApiVersionsRequestData().setClientSoftwareName("test").setClientSoftwareVersion("1");
    }

    static ApiVersionsResponseData askVersions(WireClient client) throws IOException {
        ApiVersionsResponseData answer = client.call(versions(), 4, ApiVersionsResponseData.class);
        SimClientSteps.check(answer.errorCode());
        return answer;
    }

    /** Sends bytes over a connection of their own, which must be closed in return. */
    private void assertRefused(byte[] bytes) throws IOException {
        try (WireClient client = new WireClient(broker.bootstrap())) {
            client.sendBytes(bytes);

            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    static byte[] frame(byte[] content) {
        return ByteBuffer.allocate(4 + content.length)
                .putInt(content.length)
                .put(content)
                .array();
    }

    static byte[] header(int apiKey, int version) {
        return ByteBuffer.allocate(10)
                .putShort((short) apiKey)
                .putShort((short) version)
                .putInt(1)
                .putShort((short) -1)
                .array();
    }

    @Test
    void a_frame_that_is_too_large_is_refused_before_it_has_arrived() throws IOException {
        assertRefused(ByteBuffer.allocate(8).putInt(Integer.MAX_VALUE).putInt(0).array());
    }

    @Test
    void a_negative_length_is_refused() throws IOException {
        assertRefused(ByteBuffer.allocate(8).putInt(-5).putInt(0).array());
    }

    @Test
    void an_empty_frame_is_refused() throws IOException {
        assertRefused(frame(new byte[0]));
    }

    @Test
    void another_protocol_is_refused() throws IOException {
        assertRefused("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void garbage_is_refused() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 50; i++) {
            byte[] garbage = new byte[1 + random.nextInt(200)];
            random.nextBytes(garbage);
            garbage[0] = (byte) 0x7f; // no API has such a key
            assertRefused(frame(garbage));
        }
    }

    @Test
    void a_truncated_body_is_refused() throws IOException {
        byte[] whole = WireClient.frame(Calls.createTopic("t", 1), (short) Calls.CREATE_TOPICS, 1);
        byte[] cut = Arrays.copyOfRange(whole, 4, whole.length - 3);

        assertRefused(frame(cut));
    }

    @Test
    void bytes_left_over_behind_a_request_are_refused() throws IOException {
        byte[] whole = WireClient.frame(versions(), (short) 4, 1);
        byte[] longer = Arrays.copyOfRange(whole, 4, whole.length + 3);

        assertRefused(frame(longer));
    }

    @Test
    void a_list_that_claims_to_be_huge_takes_no_memory() throws IOException {
        byte[] claim = ByteBuffer.allocate(14)
                .put(header(ApiKeys.METADATA.id, 1))
                .putInt(Integer.MAX_VALUE)
                .array();

        assertRefused(frame(claim));
    }

    @Test
    void an_unknown_api_is_refused() throws IOException {
        assertRefused(frame(header(999, 0)));
    }

    @Test
    void an_unknown_version_is_refused() throws IOException {
        assertRefused(frame(header(ApiKeys.FETCH.id, 99)));
        assertRefused(frame(header(ApiKeys.FETCH.id, -1)));
    }

    @Test
    void the_versions_of_produce_that_are_only_advertised_are_refused() throws IOException {
        short oldest = askVersions(bystander).apiKeys().find(ApiKeys.PRODUCE.id).minVersion();

        assertThat(oldest).isZero();
        for (int version = 0; version < 3; version++) {
            assertRefused(frame(header(ApiKeys.PRODUCE.id, version)));
        }
    }

    @Test
    void a_client_that_is_too_new_learns_which_versions_there_are() throws IOException {
        try (WireClient client = new WireClient(broker.bootstrap())) {
            client.sendBytes(frame(header(ApiKeys.API_VERSIONS.id, 99)));
            ApiMessage answer = client.receive(ApiKeys.API_VERSIONS, (short) 0, 1);

            ApiVersionsResponseData versions = (ApiVersionsResponseData) answer;
            assertThat(Errors.forCode(versions.errorCode())).isEqualTo(Errors.UNSUPPORTED_VERSION);
            assertThat(versions.apiKeys().find(ApiKeys.API_VERSIONS.id).maxVersion())
                    .isPositive();
            askVersionsAs(client, 2);
        }
    }

    private static void askVersionsAs(WireClient client, int correlationId) throws IOException {
        client.sendBytes(WireClient.frame(versions(), (short) 4, correlationId));
        client.receive(ApiKeys.API_VERSIONS, (short) 4, correlationId);
    }

    @Test
    void a_client_that_means_another_cluster_or_node_is_told_to_look_elsewhere() throws IOException {
        ApiVersionsResponseData wrongCluster =
                bystander.call(versions().setClusterId("another"), 5, ApiVersionsResponseData.class);
        ApiVersionsResponseData wrongNode = bystander.call(
                versions().setClusterId(broker.clusterId()).setNodeId(77), 5, ApiVersionsResponseData.class);
        ApiVersionsResponseData right = bystander.call(
                versions().setClusterId(broker.clusterId()).setNodeId(1), 5, ApiVersionsResponseData.class);

        assertThat(Errors.forCode(wrongCluster.errorCode())).isEqualTo(Errors.REBOOTSTRAP_REQUIRED);
        assertThat(Errors.forCode(wrongNode.errorCode())).isEqualTo(Errors.REBOOTSTRAP_REQUIRED);
        assertThat(Errors.forCode(right.errorCode())).isEqualTo(Errors.NONE);
    }

    @Test
    void announced_bytes_that_never_come_take_no_memory() throws IOException {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        long before = runtime.totalMemory() - runtime.freeMemory();
        WireClient[] liars = new WireClient[20];
        for (int i = 0; i < liars.length; i++) {
            liars[i] = new WireClient(broker.bootstrap());
            liars[i].sendBytes(
                    ByteBuffer.allocate(14).putInt(100_000_000).putLong(1).array());
        }
        askVersions(bystander);
        System.gc();
        long after = runtime.totalMemory() - runtime.freeMemory();
        for (WireClient liar : liars) {
            liar.close();
        }

        assertThat(after - before).isLessThan(200L << 20);
    }

    @Test
    void half_a_frame_and_a_hang_up_leave_nothing_behind() throws IOException {
        byte[] whole = WireClient.frame(versions(), (short) 4, 1);
        for (int length = 1; length < whole.length; length++) {
            try (WireClient client = new WireClient(broker.bootstrap())) {
                client.sendBytes(Arrays.copyOf(whole, length));
            }
        }
    }
}
