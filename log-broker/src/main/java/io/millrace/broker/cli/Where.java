package io.millrace.broker.cli;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A place in a topic as a person writes it: earliest, latest, an offset, or a time. */
final class Where {
    private Where() {}

    /** How to ask for the place; for an offset, the end that it must not pass. */
    static OffsetSpec parse(String where) {
        if (where.equals("earliest")) {
            return OffsetSpec.earliest();
        }
        if (where.equals("latest") || isOffset(where)) {
            return OffsetSpec.latest();
        }
        try {
            return OffsetSpec.forTimestamp(Instant.parse(where).toEpochMilli());
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "'" + where + "' is no place in a topic; allowed: earliest, latest, an offset such as 42, "
                            + "or a time such as 2026-01-31T00:00:00Z",
                    e);
        }
    }

    private static boolean isOffset(String where) {
        return where.chars().allMatch(Character::isDigit);
    }

    /** The offset of the place in each partition: the end where there is nothing at or after a time. */
    static Map<TopicPartition, OffsetAndMetadata> resolve(
            Admin admin, Map<TopicPartition, OffsetSpec> wanted, String where) throws Exception {
        Map<TopicPartition, ListOffsetsResultInfo> found =
                Answer.of(admin.listOffsets(wanted).all());
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        wanted.keySet().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
        Map<TopicPartition, ListOffsetsResultInfo> end =
                Answer.of(admin.listOffsets(ends).all());
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        found.forEach((partition, info) -> {
            long last = end.get(partition).offset();
            long offset = isOffset(where) ? Math.min(Long.parseLong(where), last) : info.offset();
            offsets.put(partition, new OffsetAndMetadata(offset < 0 ? last : offset));
        });
        return offsets;
    }
}
