package io.millrace.broker.log;

/**
 * A transaction that has records here and no marker.
 *
 * @param openedMs the broker's time of its first record; after a restart, the time of the start
 */
public record OpenTransaction(long producerId, short epoch, long firstOffset, long openedMs) {}
