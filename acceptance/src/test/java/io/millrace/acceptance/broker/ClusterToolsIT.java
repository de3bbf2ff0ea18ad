package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.acceptance.fixture.TestTopics;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.ProjectFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Apache Kafka's tools for clusters, and our own, against three brokers. */
class ClusterToolsIT {
    private static final String TOOLS = "org.apache.kafka.tools.";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** More than a replica copies at once, however slow it is to be. */
    private static final int RECORDS = 30;

    private static final int RECORD_BYTES = 100_000;

    private static Path folder;
    private static MillraceCluster cluster;

    @BeforeAll
    static void start() {
        folder = Folders.create("cluster-tools");
        cluster = MillraceCluster.start(folder, 3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static String run(String tool, String... arguments) throws Exception {
        return KafkaTool.run(
                TOOLS + tool,
                Stream.concat(Stream.of("--bootstrap-server", cluster.bootstrap()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static String millrace(String... arguments) throws Exception {
        List<String> command = Stream.concat(
                        Stream.of(ProjectFolder.resolve("bin/millrace").toString()), Stream.of(arguments))
                .toList();
        return KafkaTool.run(command, "");
    }

    private static void create(String topic, String assignment) throws Exception {
        run("TopicCommand", "--create", "--topic", topic, "--replica-assignment", assignment);
    }

    /** Writes down that a topic's first partition is to have other replicas. */
    private static Path plan(String topic, String replicas) throws IOException {
        return Files.writeString(
                folder.resolve(topic + ".json"),
                "{\"version\":1,\"partitions\":[{\"topic\":\"%s\",\"partition\":0,\"replicas\":[%s]}]}"
                        .formatted(topic, replicas));
    }

    private static String reassign(Path plan, String... arguments) throws Exception {
        return run(
                "reassign.ReassignPartitionsCommand",
                Stream.concat(Stream.of("--reassignment-json-file", plan.toString()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static void awaitReassigned(Path plan, String topic) {
        await("the reassignment is complete")
                .atMost(PATIENCE)
                .until(() ->
                        reassign(plan, "--verify").contains("Reassignment of partition " + topic + "-0 is completed."));
    }

    private static String configs(String kind, String name, String... arguments) throws Exception {
        return run(
                "ConfigCommand",
                Stream.concat(Stream.of("--entity-type", kind, "--entity-name", name), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static void fill(String topic) {
        try (TestTopics topics = new TestTopics(cluster.bootstrap())) {
            for (int i = 0; i < RECORDS; i++) {
                topics.sendRaw(topic, null, new byte[RECORD_BYTES]);
            }
            topics.flush();
        }
    }

    @Test
    void a_partition_is_reassigned_and_the_reassignment_verified() throws Exception {
        create("moved", "1:2:3");
        Path plan = plan("moved", "3,2");

        reassign(plan, "--execute");

        awaitReassigned(plan, "moved");
        assertThat(run("reassign.ReassignPartitionsCommand", "--list")).contains("No partition reassignments found");
        assertThat(run("TopicCommand", "--describe", "--topic", "moved"))
                .contains("Leader: 3")
                .contains("Replicas: 3,2");
    }

    @Test
    void a_reassignment_is_throttled_and_the_throttle_removed_when_it_is_verified() throws Exception {
        create("slow", "1:2");
        fill("slow");
        Path plan = plan("slow", "1,3");

        reassign(plan, "--execute", "--throttle", "1");

        assertThat(configs("topics", "slow", "--describe"))
                .contains("leader.replication.throttled.replicas=0:1,0:2")
                .contains("follower.replication.throttled.replicas=0:3");
        assertThat(configs("brokers", "3", "--describe"))
                .contains("follower.replication.throttled.rate=1 ")
                .contains("DYNAMIC_BROKER_CONFIG:follower.replication.throttled.rate=1");
        assertThat(reassign(plan, "--verify")).contains("Reassignment of partition slow-0 is still in progress.");

        reassign(plan, "--additional", "--execute", "--throttle", "100000000");
        awaitReassigned(plan, "slow");

        assertThat(configs("topics", "slow", "--describe")).doesNotContain("throttled");
        for (String broker : List.of("1", "2", "3")) {
            assertThat(configs("brokers", broker, "--describe")).doesNotContain("throttled");
        }
    }

    @Test
    void settings_of_a_topic_and_of_a_broker_are_altered_and_described() throws Exception {
        create("configured", "1:3");

        configs("topics", "configured", "--alter", "--add-config", "leader.replication.throttled.replicas=[0:1,0:3]");
        configs("brokers", "2", "--alter", "--add-config", "leader.replication.throttled.rate=5000000");
        assertThat(configs("topics", "configured", "--describe"))
                .contains("leader.replication.throttled.replicas=0:1,0:3");
        assertThat(configs("brokers", "2", "--describe")).contains("leader.replication.throttled.rate=5000000");

        configs("topics", "configured", "--alter", "--delete-config", "leader.replication.throttled.replicas");
        configs("brokers", "2", "--alter", "--delete-config", "leader.replication.throttled.rate");
        assertThat(configs("topics", "configured", "--describe")).doesNotContain("throttled");
        assertThat(configs("brokers", "2", "--describe")).doesNotContain("throttled");
    }

    @Test
    void what_cannot_be_set_is_refused_with_the_reason() throws Exception {
        create("refused", "1:3");

        assertThatThrownBy(() -> configs(
                        "topics", "refused", "--alter", "--add-config", "leader.replication.throttled.replicas=three"))
                .hasMessageContaining("leader.replication.throttled.replicas is 'three'")
                .hasMessageContaining("PARTITION:BROKER pairs");
        assertThatThrownBy(() ->
                        configs("brokers", "1", "--alter", "--add-config", "follower.replication.throttled.rate=-1"))
                .hasMessageContaining("follower.replication.throttled.rate is '-1'")
                .hasMessageContaining("a whole number from 0");
        assertThatThrownBy(() -> configs("brokers", "1", "--alter", "--add-config", "num.shards=9"))
                .hasMessageContaining("num.shards cannot be changed while the broker runs");
        assertThatThrownBy(() -> configs(
                        "brokers",
                        "1",
                        "--alter",
                        "--add-config",
                        "replica.alter.log.dirs.io.max.bytes.per.second=1000"))
                .hasMessageContaining("there is no broker setting 'replica.alter.log.dirs.io.max.bytes.per.second'");
    }

    @Test
    void the_preferred_leader_is_elected_on_request() throws Exception {
        create("led", "2:1:3");
        cluster.node(2).stop();
        await("another broker leads")
                .atMost(PATIENCE)
                .until(() -> run("TopicCommand", "--describe", "--topic", "led").contains("Leader: 1"));
        cluster.node(2).startAgain();
        cluster.awaitInSync();

        run("LeaderElectionCommand", "--election-type", "preferred", "--topic", "led", "--partition", "0");

        assertThat(run("TopicCommand", "--describe", "--topic", "led")).contains("Leader: 2");
    }

    @Test
    void the_quorum_of_the_metadata_is_described() throws Exception {
        assertThat(run("MetadataQuorumCommand", "describe", "--status"))
                .contains("CurrentVoters:")
                .contains("\"id\": 1")
                .contains("\"id\": 2")
                .contains("\"id\": 3");
        assertThat(run("MetadataQuorumCommand", "describe", "--replication"))
                .contains("Leader")
                .contains("Follower");
    }

    @Test
    void all_brokers_say_what_they_serve() throws Exception {
        assertThat(run("BrokerApiVersionsCommand"))
                .contains("(id: 1 rack: rack-1")
                .contains("(id: 2 rack: rack-2")
                .contains("(id: 3 rack: rack-3");
    }

    @Test
    void a_broker_is_described_and_drained_and_let_in_again() throws Exception {
        create("drained", "1:2,2:3");
        String bootstrap = cluster.bootstrap();

        assertThat(millrace("cluster", "drain", "2", "--bootstrap", bootstrap))
                .contains("broker 2 leads and replicates nothing any more");

        assertThat(run("TopicCommand", "--describe", "--topic", "drained")).doesNotContain("Leader: 2");
        assertThat(millrace("cluster", "describe", "--bootstrap", bootstrap)
                        .lines()
                        .filter(line -> line.startsWith("2 ")))
                .singleElement()
                .asString()
                .contains("rack-2");
        assertThat(millrace("cluster", "admit", "2", "--bootstrap", bootstrap)).contains("broker 2 may lead");
    }
}
