package io.millrace.broker.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;

/** What a group member of type "consumer" says about itself. */
public final class ConsumerSubscription {
    private ConsumerSubscription() {}

    /** The topics it subscribes to; empty where the bytes say nothing that can be understood. */
    public static Set<String> topics(byte[] metadata) {
        try {
            ByteBuf bytes = Unpooled.wrappedBuffer(metadata);
            short version = bytes.readShort();
            short known = (short) Math.min(version, ConsumerProtocolSubscription.HIGHEST_SUPPORTED_VERSION);
            return new TreeSet<>(new ConsumerProtocolSubscription(new BufReadable(bytes), known).topics());
        } catch (RuntimeException e) { // the generated readers throw many kinds for bytes that make no sense
            return Set.of();
        }
    }
}
