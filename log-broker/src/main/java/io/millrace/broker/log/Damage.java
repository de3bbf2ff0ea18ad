package io.millrace.broker.log;

/**
 * Where a segment is not what was written.
 *
 * @param offset of the first batch that cannot be relied on
 * @param position of that batch in the file
 * @param nextOffset of the first batch behind it that is sound again, or the end of the segment; {@code -1} where nobody
 *     has looked
 * @param what is wrong with it
 */
public record Damage(long offset, int position, long nextOffset, String what) {
    static final long NOT_ASKED = -1;
}
