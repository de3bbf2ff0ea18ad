package io.millrace.streams.runtime;

import static io.millrace.streams.runtime.Verdict.ABORT;
import static io.millrace.streams.runtime.Verdict.IDENTITY_FINISHED;
import static io.millrace.streams.runtime.Verdict.RECORD;
import static io.millrace.streams.runtime.Verdict.REPEAT;
import static io.millrace.streams.runtime.Verdict.STOP;

import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.DuplicateSequenceException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.FencedMemberEpochException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InvalidCommitOffsetSizeException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.InvalidOffsetException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.StaleMemberEpochException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.apache.kafka.common.errors.UnsupportedAssignorException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;

/**
 * The verdict for every error of the log, as a table. A class that is not in it takes the verdict of its superclass.
 * What is said of a fenced producer and of a timed-out one differs: the first has a successor, the second may go on.
 */
final class Verdicts {
    private static final Map<Class<? extends Throwable>, Verdict> TABLE = Map.ofEntries(
            // the environment: leaders move, networks break, coordinators load
            Map.entry(RetriableException.class, REPEAT),
            Map.entry(BrokerNotAvailableException.class, REPEAT),
            // the transaction is lost, the identity is not
            Map.entry(TransactionAbortableException.class, ABORT),
            Map.entry(TransactionAbortedException.class, ABORT),
            Map.entry(InvalidProducerEpochException.class, ABORT),
            Map.entry(InvalidPidMappingException.class, ABORT),
            Map.entry(OutOfOrderSequenceException.class, ABORT),
            Map.entry(DuplicateSequenceException.class, ABORT),
            Map.entry(CommitFailedException.class, ABORT),
            Map.entry(RebalanceInProgressException.class, ABORT),
            Map.entry(IllegalGenerationException.class, ABORT),
            Map.entry(UnknownMemberIdException.class, ABORT),
            Map.entry(StaleMemberEpochException.class, ABORT),
            // somebody replaced this one
            Map.entry(ProducerFencedException.class, IDENTITY_FINISHED),
            Map.entry(TransactionCoordinatorFencedException.class, IDENTITY_FINISHED),
            Map.entry(InvalidTxnStateException.class, IDENTITY_FINISHED),
            Map.entry(FencedMemberEpochException.class, IDENTITY_FINISHED),
            // also what nobody foresaw: a new session from the last commit is always right, at worst it is slow
            Map.entry(KafkaException.class, IDENTITY_FINISHED),
            // one record
            Map.entry(RecordTooLargeException.class, RECORD),
            Map.entry(RecordBatchTooLargeException.class, RECORD),
            Map.entry(InvalidTimestampException.class, RECORD),
            Map.entry(InvalidRecordException.class, RECORD),
            Map.entry(SerializationException.class, RECORD),
            // a person has to change something first
            Map.entry(InvalidConfigurationException.class, STOP),
            Map.entry(ConfigException.class, STOP),
            Map.entry(FencedInstanceIdException.class, STOP),
            Map.entry(UnreleasedInstanceIdException.class, STOP),
            Map.entry(SecurityDisabledException.class, STOP),
            Map.entry(PolicyViolationException.class, STOP),
            Map.entry(InvalidTxnTimeoutException.class, STOP),
            Map.entry(InvalidSessionTimeoutException.class, STOP),
            Map.entry(InvalidGroupIdException.class, STOP),
            Map.entry(InconsistentGroupProtocolException.class, STOP),
            Map.entry(UnsupportedAssignorException.class, STOP),
            Map.entry(GroupMaxSizeReachedException.class, STOP),
            Map.entry(UnsupportedCompressionTypeException.class, STOP),
            Map.entry(OffsetMetadataTooLarge.class, STOP),
            Map.entry(InvalidCommitOffsetSizeException.class, STOP),
            Map.entry(InvalidOffsetException.class, STOP),
            Map.entry(org.apache.kafka.clients.consumer.InvalidOffsetException.class, STOP));

    private Verdicts() {}

    static Verdict of(Throwable error) {
        if (error instanceof SessionFinishedException) {
            return IDENTITY_FINISHED;
        }
        // a bare KafkaException says what happened in its cause
        if (error.getClass() == KafkaException.class && error.getCause() instanceof KafkaException cause) {
            return of(cause);
        }
        return verdict(error.getClass());
    }

    /** What is no error of the log is a fault of this program or of the disk: stop. */
    private static Verdict verdict(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            Verdict verdict = TABLE.get(at);
            if (verdict != null) {
                return verdict;
            }
        }
        return STOP;
    }
}
