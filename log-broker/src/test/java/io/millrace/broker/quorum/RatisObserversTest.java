package io.millrace.broker.quorum;

import static io.millrace.broker.quorum.QuorumCluster.PATIENCE;
import static io.millrace.broker.quorum.QuorumCluster.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.metadata.MetadataQuorum.Member;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that follow without a vote. */
class RatisObserversTest extends QuorumTest {
    @Test
    void an_observer_joins_follows_and_is_forgotten_when_removed() {
        cluster(3, SETTINGS);
        cluster.startAll();
        QuorumMember leader = cluster.leader();
        leader.put("before", "1");
        QuorumMember observer = cluster.startObserver(9);

        cluster.awaitAll("before", "1");
        cluster.leader().put("while", "2");
        cluster.awaitAll("while", "2");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(observers(leader)).containsExactly(9));
        assertThat(observer.leads()).isFalse();
        assertThat(observer.leader()).isEqualTo(leader.id());

        cluster.stop(9);
        cluster.startObserver(9);
        leader.put("at another port", "3");
        cluster.awaitAll("at another port", "3");
        awaitObservers(9);

        cluster.stop(9);
        leader.quorum().remove(9).join();
        leader.quorum().remove(9).join();
        assertThat(observers(leader)).isEmpty();
        assertThatThrownBy(() -> leader.quorum().remove(2).join()).hasMessageContaining("node 2 votes");
    }

    private static List<Integer> observers(QuorumMember member) {
        return member.quorum().describe().observers().stream().map(Member::node).toList();
    }

    @Test
    void observers_alone_never_make_a_quorum_and_a_removed_one_may_come_back() {
        cluster(1, SETTINGS);
        cluster.startAll();
        QuorumMember voter = cluster.leader();
        QuorumMember observer = cluster.startObserver(7);
        voter.put("a", "1");
        cluster.awaitAll("a", "1");
        cluster.stop(7);
        voter.quorum().remove(7).join();

        QuorumMember back = cluster.startObserver(7);
        voter.put("b", "2");
        cluster.awaitAll("b", "2");
        cluster.stop(1);
        cluster.start(1);
        cluster.leader().put("c", "3");
        cluster.awaitAll("c", "3");

        assertThat(observer.leads()).isFalse();
        assertThat(back.leads()).isFalse();
    }

    @Test
    void an_observer_that_is_down_does_not_keep_others_from_joining_or_following() {
        cluster(3, SETTINGS);
        cluster.startAll();
        cluster.leader();
        cluster.startObserver(7);
        cluster.startObserver(8);
        cluster.leader().put("a", "1");
        cluster.awaitAll("a", "1");
        cluster.stop(7);

        cluster.startObserver(9);
        await().atMost(PATIENCE).until(() -> observers(cluster.leader()).containsAll(List.of(8, 9)));
        cluster.leader().put("b", "2");
        cluster.awaitAll("b", "2");
        cluster.startObserver(7);
        awaitObservers(7, 8, 9);
        cluster.leader().put("c", "3");
        cluster.awaitAll("c", "3");
    }

    private void awaitObservers(Integer... nodes) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(observers(cluster.leader())).containsExactly(nodes));
    }
}
