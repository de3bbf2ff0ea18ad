package io.millrace.broker.partition;

import io.millrace.broker.replication.LeaderState;
import io.millrace.broker.wire.ErrorCode;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicIdPartition;

/** Gets the controller's agreement to a change of a partition's in-sync set. */
@FunctionalInterface
public interface InSyncAgreement {

    /** The controller's answer; it fails where there is none, and then the change may have been made or not. */
    CompletionStage<ErrorCode> propose(TopicIdPartition partition, LeaderState.Proposal proposal);
}
