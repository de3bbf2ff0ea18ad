package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each version of each API that the broker says it serves gets an answer that can be read to its last byte. */
class EveryVersionTest {
    private static final short OLDEST_PRODUCE = 3;

    private final SimBroker broker = new SimBroker(3, Map.of());
    private final SimBroker.Client client = broker.client();
    private final SampleRequests samples = new SampleRequests(client);

    private List<ApiVersion> advertised() {
        ApiVersionsRequestData request =
                new ApiVersionsRequestData().setClientSoftwareName("test").setClientSoftwareVersion("1");
        return new ArrayList<>(
                client.call(request, 4, ApiVersionsResponseData.class).apiKeys());
    }

    @TestFactory
    Stream<DynamicTest> every_version_is_answered() {
        return advertised().stream().flatMap(api -> {
            List<DynamicTest> tests = new ArrayList<>();
            for (int version = oldest(api); version <= api.maxVersion(); version++) {
                short which = (short) version;
                String name = ApiKeys.forId(api.apiKey()).name + " v" + version;
                tests.add(DynamicTest.dynamicTest(name, () -> answered(api.apiKey(), which)));
            }
            return tests.stream();
        });
    }

    private static int oldest(ApiVersion api) {
        return api.apiKey() == ApiKeys.PRODUCE.id ? OLDEST_PRODUCE : api.minVersion();
    }

    private void answered(short api, short version) {
        ApiMessage answer = broker.client().call(samples.request(api, version), version, ApiMessage.class);

        assertThat(answer.apiKey()).isEqualTo(api);
    }

    @Test
    void all_versions_of_the_message_definitions_are_served() {
        Map<Short, ApiVersion> served = new HashMap<>();
        advertised().forEach(api -> served.put(api.apiKey(), api));

        assertThat(served).hasSize(42);
        served.values().forEach(api -> {
            ApiMessageType type = ApiMessageType.fromApiKey(api.apiKey());
            assertThat(api.maxVersion()).as(type.name).isEqualTo(type.highestSupportedVersion(false));
        });
        assertThat(served.get(ApiKeys.PRODUCE.id).minVersion()).isZero();
    }
}
