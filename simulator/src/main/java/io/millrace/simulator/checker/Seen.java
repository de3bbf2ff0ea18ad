package io.millrace.simulator.checker;

/**
 * A record or a marker at an offset, as a reader sees it.
 *
 * @param value the text of a record; {@code COMMIT} or {@code ABORT} for a marker
 * @param producerId -1 for none
 */
public record Seen(String value, boolean marker, boolean transactional, long producerId, short epoch) {}
