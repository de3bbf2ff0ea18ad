package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Calls.Sender;
import io.millrace.broker.settings.BrokerSettings;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that fetches the same partitions over and over names them once and hears only the news (KIP-227). */
class FetchSessionsTest {
    private static final int NO_SESSION = 0;
    private static final int FIRST = 0;
    private static final int LAST = -1;

    private final SimBroker broker = new SimBroker(11, Map.of(BrokerSettings.FETCH_SESSIONS, "2"));
    private final SimClientSteps steps = new SimClientSteps(broker.client());
    private SimBroker.Client client = broker.client();

    @BeforeEach
    void createTopics() {
        steps.createTopic("a", 1);
        steps.createTopic("b", 1);
        write("a", "a0");
        write("b", "b0");
    }

    private void write(String topic, String value) {
        SimClientSteps.check(steps.produce(topic, null, Sender.NOBODY, value).errorCode());
    }

    private static FetchRequestData request(int session, int epoch) {
        return new FetchRequestData()
                .setMaxBytes(1 << 20)
                .setMinBytes(0)
                .setSessionId(session)
                .setSessionEpoch(epoch);
    }

    private static FetchTopic wanted(String topic, long offset) {
        return new FetchTopic()
                .setTopic(topic)
                .setPartitions(List.of(new FetchPartition()
                        .setPartition(0)
                        .setFetchOffset(offset)
                        .setPartitionMaxBytes(1 << 20)));
    }

    private FetchResponseData fetch(FetchRequestData request) {
        return client.call(request, Calls.FETCH, FetchResponseData.class);
    }

    /** A session for both topics, with everything there is already read. */
    private int openedAtTheEnd() {
        FetchResponseData opened = fetch(request(NO_SESSION, FIRST).setTopics(List.of(wanted("a", 1), wanted("b", 1))));
        assertThat(topics(opened)).containsExactly("a", "b");
        return opened.sessionId();
    }

    private static List<String> topics(FetchResponseData answer) {
        SimClientSteps.check(answer.errorCode());
        return answer.responses().stream()
                .map(FetchResponseData.FetchableTopicResponse::topic)
                .toList();
    }

    @Test
    void a_session_tells_only_of_partitions_with_news() {
        int session = openedAtTheEnd();

        List<String> nothing = topics(fetch(request(session, 1)));
        write("b", "b1");
        FetchResponseData news = fetch(request(session, 2));

        assertThat(session).isPositive();
        assertThat(nothing).isEmpty();
        assertThat(topics(news)).containsExactly("b");
        assertThat(SimClientSteps.committedValues(
                        news.responses().get(0).partitions().get(0)))
                .containsExactly("b1");
        assertThat(news.sessionId()).isEqualTo(session);
    }

    @Test
    void records_are_told_again_until_the_client_says_that_it_has_moved_on() {
        int session = openedAtTheEnd();
        write("b", "b1");

        List<String> first = topics(fetch(request(session, 1)));
        List<String> again = topics(fetch(request(session, 2)));
        List<String> afterwards = topics(fetch(request(session, 3).setTopics(List.of(wanted("b", 2)))));

        assertThat(first).containsExactly("b");
        assertThat(again).containsExactly("b");
        assertThat(afterwards).isEmpty();
    }

    @Test
    void a_forgotten_partition_is_not_told_of_and_an_added_one_is() {
        int session = openedAtTheEnd();
        steps.createTopic("c", 1);
        write("a", "a1");
        write("c", "c0");

        List<String> told = topics(fetch(request(session, 1)
                .setTopics(List.of(wanted("c", 0)))
                .setForgottenTopicsData(
                        List.of(new ForgottenTopic().setTopic("a").setPartitions(List.of(0))))));

        assertThat(told).containsExactly("c");
    }

    @Test
    void a_wrong_epoch_and_an_unknown_session_are_refused() {
        int session = openedAtTheEnd();

        FetchResponseData wrongEpoch = fetch(request(session, 5));
        FetchResponseData unknown = fetch(request(session + 1, 1));

        assertThat(Errors.forCode(wrongEpoch.errorCode())).isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
        assertThat(Errors.forCode(unknown.errorCode())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(topics(fetch(request(session, 1)))).isEmpty();
    }

    @Test
    void the_last_epoch_ends_a_session() {
        int session = openedAtTheEnd();

        FetchResponseData last = fetch(request(session, LAST).setTopics(List.of(wanted("a", 0))));
        FetchResponseData afterwards = fetch(request(session, 1));

        assertThat(topics(last)).containsExactly("a");
        assertThat(last.sessionId()).isZero();
        assertThat(Errors.forCode(afterwards.errorCode())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void a_session_ends_with_its_connection() {
        int session = openedAtTheEnd();
        client.disconnect();
        client = broker.client();

        FetchResponseData afterwards = fetch(request(session, 1));

        assertThat(Errors.forCode(afterwards.errorCode())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void places_for_sessions_are_limited_and_become_free_again() {
        for (int i = 0; i < 10; i++) {
            openedAtTheEnd(); // replaces the one of this connection
        }
        SimBroker.Client mine = client;
        client = broker.client();
        int second = openedAtTheEnd();
        client = broker.client();
        int third = openedAtTheEnd();
        mine.disconnect();
        broker.world.runFor(100);
        int later = openedAtTheEnd();

        assertThat(second).isPositive();
        assertThat(third).isZero();
        assertThat(later).isPositive();
    }

    @Test
    void a_fetch_that_waits_does_not_keep_its_place_when_its_connection_goes() {
        for (int i = 0; i < 5; i++) {
            SimBroker.Client lost = broker.client();
            lost.send(
                    request(NO_SESSION, FIRST).setMaxWaitMs(500).setMinBytes(1).setTopics(List.of(wanted("a", 1))),
                    Calls.FETCH,
                    FetchResponseData.class);
            broker.world.runFor(100);
            lost.disconnect();
            broker.world.runFor(1_000);
        }

        assertThat(openedAtTheEnd()).isPositive();
    }

    @Test
    void a_topic_that_comes_later_is_told_of_when_it_is_there() {
        FetchResponseData opened = fetch(request(NO_SESSION, FIRST).setTopics(List.of(wanted("later", 0))));
        Errors before =
                Errors.forCode(opened.responses().get(0).partitions().get(0).errorCode());
        steps.createTopic("later", 1);
        write("later", "value");

        FetchResponseData news = fetch(request(opened.sessionId(), 1));

        assertThat(before).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(SimClientSteps.committedValues(
                        news.responses().get(0).partitions().get(0)))
                .containsExactly("value");
    }
}
