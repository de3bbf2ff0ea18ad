package io.millrace.broker.log;

import java.util.ArrayList;
import java.util.List;

/** The segments of a log in order; the last one is the active one. */
final class Segments {
    private final List<Segment> all;
    private SegmentView[] sealedViews;

    Segments(List<Segment> ascending) {
        all = new ArrayList<>(ascending);
    }

    Segment active() {
        return all.get(all.size() - 1);
    }

    Segment first() {
        return all.get(0);
    }

    List<Segment> all() {
        return List.copyOf(all);
    }

    List<Segment> sealed() {
        return List.copyOf(all.subList(0, all.size() - 1));
    }

    int count() {
        return all.size();
    }

    boolean isSegmentBase(long offset) {
        return all.get(floorIndex(offset)).baseOffset() == offset;
    }

    /** The last segment that starts at or before an offset, or the first one. */
    Segment containing(long offset) {
        return all.get(floorIndex(offset));
    }

    private int floorIndex(long offset) {
        int low = 0;
        int high = all.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (all.get(middle).baseOffset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /**
     * The offset behind a segment: where the next one starts.
     *
     * @param endOffset of the log
     */
    long endOf(Segment segment, long endOffset) {
        int next = floorIndex(segment.baseOffset()) + 1;
        return next < all.size() ? all.get(next).baseOffset() : endOffset;
    }

    void add(Segment segment) {
        all.add(segment);
        sealedViews = null;
    }

    void remove(Segment segment) {
        all.remove(segment);
        sealedViews = null;
    }

    /** Puts one segment in the place of several neighbours. */
    void replace(List<Segment> old, Segment replacement) {
        int at = all.indexOf(old.get(0));
        all.removeAll(old);
        all.add(at, replacement);
        sealedViews = null;
    }

    /** Takes out all segments behind one. */
    List<Segment> removeBehind(Segment last) {
        int from = all.indexOf(last) + 1;
        List<Segment> removed = List.copyOf(all.subList(from, all.size()));
        all.subList(from, all.size()).clear();
        sealedViews = null;
        return removed;
    }

    /** Readers share this array: it is made anew when the segments change, never changed. */
    SegmentView[] sealedViews() {
        if (sealedViews == null) {
            sealedViews = sealed().stream().map(segment -> segment.view(false)).toArray(SegmentView[]::new);
        }
        return sealedViews;
    }

    /** Closes files until somebody needs them; those that are being written stay open. */
    void restForced() {
        all.stream().filter(segment -> !segment.isUnforced()).forEach(Segment::rest);
    }

    long sizeBytes() {
        return all.stream().mapToLong(Segment::sizeBytes).sum();
    }
}
