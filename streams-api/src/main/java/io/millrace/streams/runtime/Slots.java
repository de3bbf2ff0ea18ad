package io.millrace.streams.runtime;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/** What travels in the group protocol's user data: first byte a version, then the content. */
final class Slots {
    static final int NONE = -1;

    private static final byte VERSION = 1;

    /** From a member to the group's leader. */
    record Claim(int slot, List<TopicPartition> partitions) {}

    /** From the leader to a member. */
    record Grant(int slot, Set<Integer> liveSlots) {}

    private Slots() {}

    static ByteBuffer write(Claim claim) {
        return bytes(out -> {
            out.writeInt(claim.slot());
            out.writeInt(claim.partitions().size());
            for (TopicPartition partition : claim.partitions()) {
                out.writeUTF(partition.topic());
                out.writeInt(partition.partition());
            }
        });
    }

    static Claim readClaim(ByteBuffer buffer) {
        return read(buffer, new Claim(NONE, List.of()), in -> {
            int slot = in.readInt();
            int count = in.readInt();
            List<TopicPartition> partitions = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                partitions.add(new TopicPartition(in.readUTF(), in.readInt()));
            }
            return new Claim(slot, partitions);
        });
    }

    static ByteBuffer write(Grant grant) {
        return bytes(out -> {
            out.writeInt(grant.slot());
            out.writeInt(grant.liveSlots().size());
            for (int slot : new TreeSet<>(grant.liveSlots())) {
                out.writeInt(slot);
            }
        });
    }

    static Grant readGrant(ByteBuffer buffer) {
        return read(buffer, new Grant(NONE, Set.of()), in -> {
            int slot = in.readInt();
            int count = in.readInt();
            Set<Integer> live = new TreeSet<>();
            for (int i = 0; i < count; i++) {
                live.add(in.readInt());
            }
            return new Grant(slot, live);
        });
    }

    private interface Writer {
        void to(DataOutputStream out) throws IOException;
    }

    private interface Reader<T> {
        T from(DataInputStream in) throws IOException;
    }

    private static ByteBuffer bytes(Writer writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            writer.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static <T> T read(ByteBuffer buffer, T ifAbsent, Reader<T> reader) {
        if (buffer == null || !buffer.hasRemaining()) {
            return ifAbsent;
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(copy))) {
            byte version = in.readByte();
            if (version != VERSION) {
                throw new JobStoppedException(
                        "a member of this job's group speaks slot version %d, this one %d; run one version of Millrace"
                                .formatted(version, VERSION));
            }
            return reader.from(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
