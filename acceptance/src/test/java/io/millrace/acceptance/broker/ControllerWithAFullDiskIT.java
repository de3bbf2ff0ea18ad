package io.millrace.acceptance.broker;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.acceptance.fixture.Folders;
import io.millrace.testbed.MillraceCluster;
import io.millrace.testbed.MillraceServer;
import io.millrace.testbed.SmallDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Not one more byte for the metadata log of the node that leads it. */
class ControllerWithAFullDiskIT {
    private static final int NODES = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<SmallDisk> disks = new ArrayList<>();
    private int topics;

    @AfterEach
    void closeDisks() {
        disks.forEach(SmallDisk::close);
    }

    @Test
    void others_control_meanwhile_and_it_takes_part_again_when_there_is_room_also_after_a_kill() throws Exception {
        Path folder = Folders.create("full-disk");
        String obstacle = SmallDisk.obstacle(folder.resolve("trial"));
        assumeTrue(obstacle.isEmpty(), "no disk can be made full here: " + obstacle);
        for (int node = 1; node <= NODES; node++) {
            disks.add(SmallDisk.at(folder.resolve("node-" + node).resolve("data")));
        }
        try (MillraceCluster cluster = MillraceCluster.start(folder, NODES);
                Admin admin = admin(cluster)) {
            awaitTopic(admin);
            int controller = admin.describeMetadataQuorum().quorumInfo().get().leaderId();
            MillraceServer victim = cluster.node(controller);
            SmallDisk disk = disks.get(controller - 1);

            disk.fill();
            createTopicsUntil(admin, victim, "cannot be written");
            awaitTopic(admin);
            disk.empty();
            awaitTopic(admin);
            cluster.awaitInSync();

            victim.killHard();
            victim.startAgain();
            awaitTopic(admin);
            cluster.awaitInSync();
        }
    }

    /** Not one to wait for long for a controller that cannot write. */
    private static Admin admin(MillraceCluster cluster) {
        return Admin.create(Map.of(
                "bootstrap.servers", cluster.bootstrap(),
                "request.timeout.ms", "2000",
                "default.api.timeout.ms", "5000"));
    }

    private void awaitTopic(Admin admin) {
        await("a topic can be made").atMost(PATIENCE).until(() -> createTopic(admin));
    }

    /** Every topic is a few more bytes of metadata. */
    private void createTopicsUntil(Admin admin, MillraceServer server, String said) {
        await("the log of the full node says: " + said).atMost(PATIENCE).until(() -> {
            createTopic(admin);
            return server.output().contains(said);
        });
    }

    /** @return whether it came about */
    private boolean createTopic(Admin admin) throws InterruptedException {
        try {
            admin.createTopics(List.of(new NewTopic("t" + topics++, 1, (short) NODES)))
                    .all()
                    .get();
            return true;
        } catch (ExecutionException e) {
            return false; // nobody controls just now, or it was made although the answer got lost
        }
    }
}
