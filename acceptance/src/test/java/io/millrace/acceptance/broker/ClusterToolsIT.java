package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.ProjectFolder;
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

    @Test
    void a_partition_is_reassigned_and_the_reassignment_verified() throws Exception {
        create("moved", "1:2:3");
        Path plan = folder.resolve("plan.json");
        Files.writeString(
                plan, "{\"version\":1,\"partitions\":[{\"topic\":\"moved\",\"partition\":0,\"replicas\":[3,2]}]}");

        run("reassign.ReassignPartitionsCommand", "--reassignment-json-file", plan.toString(), "--execute");

        await("the reassignment is complete")
                .atMost(PATIENCE)
                .until(() -> run(
                                "reassign.ReassignPartitionsCommand",
                                "--reassignment-json-file",
                                plan.toString(),
                                "--verify")
                        .contains("Reassignment of partition moved-0 is completed."));
        assertThat(run("reassign.ReassignPartitionsCommand", "--list")).contains("No partition reassignments found");
        assertThat(run("TopicCommand", "--describe", "--topic", "moved"))
                .contains("Leader: 3")
                .contains("Replicas: 3,2");
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
