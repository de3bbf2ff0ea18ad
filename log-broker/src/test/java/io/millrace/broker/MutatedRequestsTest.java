package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Calls.Sender;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests in which bytes were changed at random may be refused or misunderstood, but nothing in the broker breaks. */
class MutatedRequestsTest {
    private static final int HEADER_BYTES = 12;
    private static final int MUTATIONS = 10;

    @ParameterizedTest
    @MethodSource("seeds")
    void changed_bytes_break_nothing(long seed) {
        Random random = new Random(seed);
        SimBroker broker = new SimBroker(seed, Map.of());
        SampleRequests samples = new SampleRequests(broker.client());
        ApiVersionsRequestData question =
                new ApiVersionsRequestData().setClientSoftwareName("test").setClientSoftwareVersion("1");
        List<ApiVersion> served = List.copyOf(
                broker.client().call(question, 4, ApiVersionsResponseData.class).apiKeys());

        for (ApiVersion api : served) {
            if (api.apiKey() == ApiKeys.CREATE_TOPICS.id) {
                continue; // a changed count may ask for 100,000 partitions, which are then made
            }
            for (int version = api.minVersion(); version <= api.maxVersion(); version++) {
                if (api.apiKey() == ApiKeys.PRODUCE.id && version < 3) {
                    continue;
                }
                byte[] whole = WireClient.frame(samples.request(api.apiKey(), (short) version), (short) version, 1);
                for (int i = 0; i < MUTATIONS; i++) {
                    byte[] changed = whole.clone();
                    for (int flips = 1 + random.nextInt(4); flips > 0 && whole.length > HEADER_BYTES; flips--) {
                        int at = HEADER_BYTES + random.nextInt(whole.length - HEADER_BYTES);
                        changed[at] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1);
                    }
                    broker.client().sendBytes(changed);
                    broker.world.runFor(5);
                }
            }
        }
        broker.world.runFor(60_000);

        SimClientSteps steps = new SimClientSteps(broker.client());
        steps.createTopic("afterwards", 1);
        SimClientSteps.check(
                steps.produce("afterwards", null, Sender.NOBODY, "value").errorCode());
        assertThat(steps.committedValues("afterwards")).as("seed %d", seed).containsExactly("value");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 4);
    }
}
