package io.millrace.broker.log;

/** A producer whose records from an offset on, up to its next abort marker, must not be shown. */
public record Aborted(long producerId, long firstOffset) {}
