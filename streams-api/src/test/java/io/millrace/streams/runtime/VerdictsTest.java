package io.millrace.streams.runtime;

import static io.millrace.streams.runtime.Verdict.ABORT;
import static io.millrace.streams.runtime.Verdict.IDENTITY_FINISHED;
import static io.millrace.streams.runtime.Verdict.RECORD;
import static io.millrace.streams.runtime.Verdict.REPEAT;
import static io.millrace.streams.runtime.Verdict.STOP;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class VerdictsTest {
    private static final Map<Verdict, Set<Errors>> EXPECTED = new EnumMap<>(Map.of(
            ABORT,
            EnumSet.of(
                    Errors.TRANSACTION_ABORTABLE,
                    Errors.INVALID_PRODUCER_EPOCH,
                    Errors.INVALID_PRODUCER_ID_MAPPING,
                    Errors.OUT_OF_ORDER_SEQUENCE_NUMBER,
                    Errors.UNKNOWN_PRODUCER_ID,
                    Errors.DUPLICATE_SEQUENCE_NUMBER,
                    Errors.REBALANCE_IN_PROGRESS,
                    Errors.ILLEGAL_GENERATION,
                    Errors.UNKNOWN_MEMBER_ID,
                    Errors.STALE_MEMBER_EPOCH),
            RECORD,
            EnumSet.of(
                    Errors.MESSAGE_TOO_LARGE,
                    Errors.RECORD_LIST_TOO_LARGE,
                    Errors.INVALID_TIMESTAMP,
                    Errors.INVALID_RECORD),
            STOP,
            EnumSet.of(
                    Errors.OFFSET_OUT_OF_RANGE,
                    Errors.OFFSET_METADATA_TOO_LARGE,
                    Errors.INVALID_TOPIC_EXCEPTION,
                    Errors.INVALID_REQUIRED_ACKS,
                    Errors.INCONSISTENT_GROUP_PROTOCOL,
                    Errors.INVALID_GROUP_ID,
                    Errors.INVALID_SESSION_TIMEOUT,
                    Errors.INVALID_COMMIT_OFFSET_SIZE,
                    Errors.TOPIC_AUTHORIZATION_FAILED,
                    Errors.GROUP_AUTHORIZATION_FAILED,
                    Errors.CLUSTER_AUTHORIZATION_FAILED,
                    Errors.UNSUPPORTED_SASL_MECHANISM,
                    Errors.ILLEGAL_SASL_STATE,
                    Errors.UNSUPPORTED_VERSION,
                    Errors.INVALID_REPLICATION_FACTOR,
                    Errors.INVALID_CONFIG,
                    Errors.UNSUPPORTED_FOR_MESSAGE_FORMAT,
                    Errors.POLICY_VIOLATION,
                    Errors.INVALID_TRANSACTION_TIMEOUT,
                    Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                    Errors.SECURITY_DISABLED,
                    Errors.SASL_AUTHENTICATION_FAILED,
                    Errors.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
                    Errors.UNSUPPORTED_COMPRESSION_TYPE,
                    Errors.GROUP_MAX_SIZE_REACHED,
                    Errors.FENCED_INSTANCE_ID,
                    Errors.UNRELEASED_INSTANCE_ID,
                    Errors.UNSUPPORTED_ASSIGNOR)));

    @Test
    void every_error_code_of_the_protocol_has_its_verdict() {
        for (Errors error : Errors.values()) {
            if (error != Errors.NONE) {
                assertThat(Verdicts.of(error.exception())).as(error.name()).isEqualTo(expected(error));
            }
        }
    }

    private static Verdict expected(Errors error) {
        for (Map.Entry<Verdict, Set<Errors>> entry : EXPECTED.entrySet()) {
            if (entry.getValue().contains(error)) {
                return entry.getKey();
            }
        }
        boolean environment = error.exception() instanceof RetriableException || error == Errors.BROKER_NOT_AVAILABLE;
        return environment ? REPEAT : IDENTITY_FINISHED;
    }

    @Test
    void fenced_and_timed_out_are_different_things() {
        assertThat(Verdicts.of(Errors.PRODUCER_FENCED.exception())).isEqualTo(IDENTITY_FINISHED);
        assertThat(Verdicts.of(Errors.INVALID_PRODUCER_EPOCH.exception())).isEqualTo(ABORT);
    }

    @Test
    void what_the_client_throws_by_itself_has_a_verdict() {
        assertThat(Verdicts.of(new CommitFailedException())).isEqualTo(ABORT);
        assertThat(Verdicts.of(new TimeoutException())).isEqualTo(REPEAT);
        assertThat(Verdicts.of(new OffsetOutOfRangeException(Map.of()))).isEqualTo(STOP);
        assertThat(Verdicts.of(new KafkaException("in error state"))).isEqualTo(IDENTITY_FINISHED);
        assertThat(Verdicts.of(new KafkaException("in error state", new TimeoutException())))
                .isEqualTo(REPEAT);
        assertThat(Verdicts.of(new KafkaException("in error state", new ProducerFencedException("x"))))
                .isEqualTo(IDENTITY_FINISHED);
    }

    @Test
    void what_is_no_error_of_the_log_stops_the_job() {
        assertThat(Verdicts.of(new IllegalStateException())).isEqualTo(STOP);
        assertThat(Verdicts.of(new JobStoppedException("over"))).isEqualTo(STOP);
    }
}
