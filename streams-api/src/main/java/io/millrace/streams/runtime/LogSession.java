package io.millrace.streams.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The log as a worker sees it: poll, send, commit. One member of the group and one writer in one; used by one thread.
 * There is no way to abort and go on reading: {@link #rewind} does both, so that nobody goes on behind lost records.
 */
interface LogSession extends RecordSender, AutoCloseable {
    /** What the group decides, told during {@link #poll}. */
    interface Ownership {
        /** These partitions begin at these committed offsets; null where nothing was ever committed. */
        void assigned(Map<TopicPartition, OffsetAndMetadata> committed);

        /** They go to somebody else as soon as this returns; what is done may still be committed. */
        void revoking();

        /** They are somebody else's already; nothing can be committed. */
        void lost();
    }

    ConsumerRecords<byte[], byte[]> poll(Duration timeout);

    /**
     * Makes outputs and positions visible together.
     *
     * @return for each changelog partition written, the offset after its last record
     */
    Map<TopicPartition, Long> commit(Map<TopicPartition, OffsetAndMetadata> positions);

    /** Drops what was sent since the last commit and goes back to these offsets; null is the beginning. */
    void rewind(Map<TopicPartition, OffsetAndMetadata> committed);

    /**
     * Where the next poll goes on: behind the last record, and behind markers and aborted records after it. With the leader
     * epoch of what is right before it, where that is known.
     */
    OffsetAndMetadata position(TopicPartition partition);

    void pause(Set<TopicPartition> partitions);

    void resume(Set<TopicPartition> partitions);

    /** Leaves the group, so that others need not wait for this member, or stays for a successor to take its place. */
    void leaveGroupOnClose();

    @Override
    void close();
}
