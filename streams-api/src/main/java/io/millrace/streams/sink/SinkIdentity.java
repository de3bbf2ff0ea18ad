package io.millrace.streams.sink;

/** Whose offsets these are: all that tells one ledger entry from another, except the partition. */
public record SinkIdentity(String clusterId, String job, String sink, String topic, String topicId) {}
