package io.millrace.broker.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Segments that have left the log and whose files stay for a while, for readers who still use them. */
final class Deletions {
    private final LogFolder folder;
    private final Deque<Due> waiting = new ArrayDeque<>();
    private int nextNumber;

    private record Due(Segment segment, long atMs) {}

    Deletions(LogFolder folder) {
        this.folder = folder;
    }

    /** Renames a segment's files, so that a crash does not bring it back. */
    void schedule(Segment segment, long atMs) {
        for (LazyFile file : segment.files()) {
            if (file.exists()) {
                String name = file.path().getFileName().toString();
                file.moveTo(folder.path().resolve(name + "." + nextNumber + LogFolder.DELETED));
            }
        }
        nextNumber++;
        waiting.add(new Due(segment, atMs));
    }

    /** Deletes what has waited long enough; returns how many segments that were. */
    int run(long nowMs) {
        int deleted = 0;
        while (!waiting.isEmpty() && waiting.peek().atMs() <= nowMs) {
            waiting.peek().segment().delete(folder.disk());
            waiting.remove();
            deleted++;
        }
        return deleted;
    }

    List<Segment> waiting() {
        return waiting.stream().map(Due::segment).toList();
    }
}
