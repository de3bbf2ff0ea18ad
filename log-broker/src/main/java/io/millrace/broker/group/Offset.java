package io.millrace.broker.group;

/**
 * A committed position.
 *
 * @param leaderEpoch of the record before it; -1 where the client did not say
 */
public record Offset(long offset, int leaderEpoch, String metadata, long committedMs) {}
