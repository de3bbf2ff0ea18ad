package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A broker goes on, but nothing can be written to its disk, or read from it, any more. */
class FailedDiskTest {
    private final ClusterFixture fixture =
            new ClusterFixture(Map.of("default.replication.factor", "3", "min.insync.replicas", "2"));

    @Test
    void it_is_fenced_and_others_lead_what_it_led() {
        fixture.createTopic(3);
        fixture.until(fixture.cluster::isWhole);
        fixture.append(1);
        int leader = fixture.partition().leader();

        fixture.cluster.brokers().get(leader - 1).machine().disk().broken(true);
        fixture.append(1);

        assertThat(fixture.partition().leader()).isNotEqualTo(leader);
        assertThat(fixture.isFenced(leader)).isTrue();
    }
}
