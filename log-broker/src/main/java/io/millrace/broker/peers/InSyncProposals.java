package io.millrace.broker.peers;

import io.millrace.broker.partition.InSyncAgreement;
import io.millrace.broker.replication.LeaderState;
import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterPartitionRequestData.BrokerState;
import org.apache.kafka.common.message.AlterPartitionRequestData.PartitionData;
import org.apache.kafka.common.message.AlterPartitionRequestData.TopicData;
import org.apache.kafka.common.message.AlterPartitionResponseData;

/** Asks the controller to change in-sync sets (KIP-497, KIP-903). */
public final class InSyncProposals implements InSyncAgreement {
    private static final long PATIENCE_MS = 1_000;

    private final ControllerLine controller;
    private final int self;
    private final LongSupplier brokerEpoch;

    /** @param brokerEpoch under which this broker is registered */
    public InSyncProposals(ControllerLine controller, int self, LongSupplier brokerEpoch) {
        this.controller = controller;
        this.self = self;
        this.brokerEpoch = brokerEpoch;
    }

    @Override
    public CompletionStage<ErrorCode> propose(TopicIdPartition partition, LeaderState.Proposal proposal) {
        List<BrokerState> inSync = proposal.inSync().entrySet().stream()
                .map(member -> new BrokerState().setBrokerId(member.getKey()).setBrokerEpoch(member.getValue()))
                .toList();
        PartitionData change = new PartitionData()
                .setPartitionIndex(partition.partition())
                .setLeaderEpoch(proposal.leaderEpoch())
                .setPartitionEpoch(proposal.partitionEpoch())
                .setNewIsrWithEpochs(inSync);
        AlterPartitionRequestData request = new AlterPartitionRequestData()
                .setBrokerId(self)
                .setBrokerEpoch(brokerEpoch.getAsLong())
                .setTopics(
                        List.of(new TopicData().setTopicId(partition.topicId()).setPartitions(List.of(change))));
        return controller
                .ask(request, AlterPartitionResponseData.class, PATIENCE_MS)
                .thenApply(InSyncProposals::error);
    }

    private static ErrorCode error(AlterPartitionResponseData response) {
        short code = response.errorCode();
        if (code == ErrorCode.NONE.code()) {
            code = response.topics().get(0).partitions().get(0).errorCode();
        }
        return ErrorCode.of(code);
    }
}
