package io.millrace.streams.state;

import java.nio.ByteBuffer;

/**
 * How much of a changelog partition a store contains.
 *
 * @param topicIdHigh with {@code topicIdLow} the topic's id: a topic that was deleted and created again has another
 *     one, and a position in the old one means nothing
 * @param next offset of the first record that the store does not contain
 */
public record ChangelogPosition(long topicIdHigh, long topicIdLow, long next) {
    byte[] bytes() {
        return ByteBuffer.allocate(3 * Long.BYTES)
                .putLong(topicIdHigh)
                .putLong(topicIdLow)
                .putLong(next)
                .array();
    }

    static ChangelogPosition read(ByteBuffer bytes) {
        return new ChangelogPosition(bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    public boolean sameTopic(ChangelogPosition other) {
        return topicIdHigh == other.topicIdHigh && topicIdLow == other.topicIdLow;
    }

    public ChangelogPosition at(long offset) {
        return new ChangelogPosition(topicIdHigh, topicIdLow, offset);
    }
}
