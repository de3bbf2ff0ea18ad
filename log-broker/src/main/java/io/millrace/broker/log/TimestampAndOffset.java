package io.millrace.broker.log;

/** A record found by time. */
public record TimestampAndOffset(long timestampMs, long offset, int leaderEpoch) {}
