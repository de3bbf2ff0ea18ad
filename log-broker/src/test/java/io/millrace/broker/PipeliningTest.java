package io.millrace.broker;

import static io.millrace.broker.BadFramesTest.askVersions;
import static io.millrace.broker.BadFramesTest.frame;
import static io.millrace.broker.BadFramesTest.header;
import static io.millrace.broker.BadFramesTest.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Calls.Sender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Many requests at once over one connection, and clients that do not read the answers. */
class PipeliningTest extends BrokerTestCase {
    private static final int MANY = 200;

    @Test
    void a_client_that_is_too_new_waits_for_the_answers_to_what_it_asked_before() throws Exception {
        clients.createTopic("t", 1);
        try (WireClient client = new WireClient(broker.bootstrap())) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.write(WireClient.frame(
                    Calls.fetch("t", 0, 0, IsolationLevel.READ_UNCOMMITTED, 300), (short) Calls.FETCH, 7));
            both.write(frame(header(ApiKeys.API_VERSIONS.id, 99)));
            client.sendBytes(both.toByteArray());

            client.receive(ApiKeys.FETCH, (short) Calls.FETCH, 7);
            client.receive(ApiKeys.API_VERSIONS, (short) 0, 1);
        }
    }

    @Test
    void requests_written_at_once_are_answered_in_their_order() throws Exception {
        clients.createTopic("t", 1);
        try (WireClient client = new WireClient(broker.bootstrap())) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int id = 0; id < MANY; id++) {
                boolean write = id % 2 == 0;
                all.write(
                        write
                                ? WireClient.frame(
                                        Calls.produce("t", 0, null, Sender.NOBODY, "value"), (short) Calls.PRODUCE, id)
                                : WireClient.frame(versions(), (short) 4, id));
            }
            client.sendBytes(all.toByteArray());

            for (int id = 0; id < MANY; id++) {
                boolean write = id % 2 == 0;
                client.receive(
                        write ? ApiKeys.PRODUCE : ApiKeys.API_VERSIONS, write ? (short) Calls.PRODUCE : (short) 4, id);
            }
        }
        assertThat(clients.values(new TopicPartition("t", 0), false)).isEqualTo(Collections.nCopies(MANY / 2, "value"));
    }

    @Test
    void a_client_that_never_reads_is_not_read_any_more() throws Exception {
        try (WireClient client = new WireClient(broker.bootstrap())) {
            byte[] request = WireClient.frame(versions(), (short) 4, 1);
            ByteArrayOutputStream many = new ByteArrayOutputStream();
            for (int i = 0; i < 1_000; i++) {
                many.write(request);
            }
            AtomicLong written = new AtomicLong();
            Thread writer = new Thread(() -> writeUntilItFails(client, many.toByteArray(), written), "never-reads");
            writer.start();

            AtomicLong before = new AtomicLong(-1);
            Awaitility.await("the broker takes no more requests")
                    .atMost(Clients.PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> before.getAndSet(written.get()) == written.get());
            try (WireClient bystander = new WireClient(broker.bootstrap())) {
                askVersions(bystander);
            }
            client.close();
            writer.join();
        }
    }

    private static void writeUntilItFails(WireClient client, byte[] bytes, AtomicLong written) {
        try {
            while (true) {
                client.sendBytes(bytes);
                written.addAndGet(bytes.length);
            }
        } catch (IOException closed) {
            written.set(-2); // the end of the test
        }
    }
}
