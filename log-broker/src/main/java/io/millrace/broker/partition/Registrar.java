package io.millrace.broker.partition;

import io.millrace.broker.wire.ErrorCode;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;

/** How a partition asks a transaction's coordinator whether the transaction may write to it. */
@FunctionalInterface
public interface Registrar {

    /**
     * @return NONE once the registration is durable, or why the transaction may not write
     */
    CompletionStage<ErrorCode> register(
            Produce.Transaction transaction, long producerId, short producerEpoch, TopicPartition partition);
}
