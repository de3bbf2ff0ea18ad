package io.millrace.broker.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.wire.ErrorCode;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class MarkerWriterTest {
    private static final TopicPartition ONE = new TopicPartition("t", 0);
    private static final TopicPartition OTHER = new TopicPartition("t", 1);

    @Test
    void a_broker_that_has_given_a_partition_away_has_not_written_its_marker() {
        assertThat(MarkerWriter.one(Map.of(ONE, ErrorCode.NONE, OTHER, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void a_newer_coordinator_outranks_all_other_errors() {
        assertThat(MarkerWriter.one(
                        Map.of(ONE, ErrorCode.NOT_LEADER_OR_FOLLOWER, OTHER, ErrorCode.TRANSACTION_COORDINATOR_FENCED)))
                .isEqualTo(ErrorCode.TRANSACTION_COORDINATOR_FENCED);
    }

    @Test
    void markers_are_written_when_every_partition_says_so() {
        assertThat(MarkerWriter.one(Map.of(ONE, ErrorCode.NONE, OTHER, ErrorCode.NONE)))
                .isEqualTo(ErrorCode.NONE);
    }
}
