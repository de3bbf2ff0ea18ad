package io.millrace.broker.group;

import io.millrace.broker.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** What the group coordinator answers. */
public final class GroupAnswers {
    private GroupAnswers() {}

    /**
     * @param members everybody with what they said, for the leader; else empty
     * @param skipAssignment whether the leader must not divide the work again (KIP-814)
     */
    public record Joined(
            ErrorCode error,
            int generation,
            String protocolType,
            String protocol,
            String leader,
            boolean skipAssignment,
            String memberId,
            List<Said> members) {

        static Joined refused(ErrorCode error, String memberId) {
            return new Joined(error, -1, null, null, "", false, memberId, List.of());
        }
    }

    /** What a member said in the protocol that was agreed on. */
    public record Said(String memberId, String instanceId, byte[] metadata) {}

    public record Synced(ErrorCode error, String protocolType, String protocol, byte[] assignment) {
        static Synced refused(ErrorCode error) {
            return new Synced(error, null, null, new byte[0]);
        }
    }

    /** The answer to each member that was to leave, in the order of the request. */
    public record Left(ErrorCode error, List<LeftMember> members) {}

    public record LeftMember(String memberId, String instanceId, ErrorCode error) {}

    /** One answer for all partitions of a request. */
    public record Committed(ErrorCode error) {}

    /** @param offsets null for a partition whose offset is about to change by an open transaction */
    public record Fetched(Map<TopicPartition, Offset> offsets, List<TopicPartition> unstable) {}

    public record Deleted(ErrorCode error, Map<TopicPartition, ErrorCode> partitions) {}
}
