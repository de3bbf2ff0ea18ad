package io.millrace.acceptance.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.MillraceServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** A follower whose process, which is the controller at first, sleeps for some seconds again and again. */
class InSyncSetFlapsUnderShortPausesIT {
    private static final int PAUSES = Integer.getInteger("millrace.pauses", 4);
    private static final Duration ASLEEP = Duration.ofSeconds(3);
    private static final Duration AWAKE = Duration.ofSeconds(4);
    private static final int MOST_CHANGES = 3;
    private static final Pattern IN_SYNC = Pattern.compile("plain-0: in sync are (\\[.*])");

    @Test
    void it_is_left_out_and_neither_producers_nor_the_set_notice_the_next_times() throws Exception {
        try (MillraceCluster cluster = MillraceCluster.start(Folders.create("flapping"), 3);
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap()))) {
            int controller = admin.describeMetadataQuorum().quorumInfo().get().leaderId();
            int leader = controller % 3 + 1;
            int third = leader % 3 + 1;
            NewTopic topic = new NewTopic("plain", Map.of(0, List.of(leader, controller, third)));
            admin.createTopics(List.of(topic)).all().get();
            cluster.awaitInSync();
            PlainLoad load = new PlainLoad(cluster.bootstrap(), "plain", true);
            Thread producer = new Thread(load, "plain");
            producer.start();
            MillraceServer follower = cluster.node(controller);
            for (int i = 0; i < PAUSES; i++) {
                follower.pause();
                awaitProgress(load, "while the follower sleeps", ASLEEP);
                follower.resume();
                awaitProgress(load, "while it is awake", AWAKE);
            }
            load.stop();
            producer.join();

            List<String> changes = inSyncChanges(cluster.node(leader));
            System.out.printf("%d pauses of %d s: %s%n", PAUSES, ASLEEP.toSeconds(), changes);
            assertThat(load.failures()).isEmpty();
            assertThat(changes).as("changes of the in-sync set").isNotEmpty().hasSizeLessThanOrEqualTo(MOST_CHANGES);
            assertThat(leader(admin)).as("the leader").isEqualTo(leader);
        }
    }

    /** The pauses are what is tested; records must come through in each of them. */
    private static void awaitProgress(PlainLoad load, String when, Duration atLeast) {
        int before = load.acknowledged().size();
        await("acknowledgements " + when)
                .pollDelay(atLeast)
                .atMost(Duration.ofMinutes(1))
                .until(() -> load.acknowledged().size() > before);
    }

    /** From the leader's own words: a broker that has slept may know the sets of some time ago. */
    private static List<String> inSyncChanges(MillraceServer leader) {
        return IN_SYNC.matcher(leader.output())
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static int leader(Admin admin) {
        return admin.describeTopics(List.of("plain"))
                .allTopicNames()
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .get("plain")
                .partitions()
                .get(0)
                .leader()
                .id();
    }
}
