package io.millrace.broker.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Segments that have left the log and whose files stay for a while, for readers who still use them. */
final class Deletions {
    private final LogFolder folder;
    private final Deque<Due> waiting = new ArrayDeque<>();
    private int nextNumber;

    private record Due(List<LazyFile> files, long atMs) {}

    Deletions(LogFolder folder) {
        this.folder = folder;
    }

    /**
     * Renames a segment's files, so that a crash does not bring it back. A name is not used twice: the same segment may be
     * replaced again before its first files are deleted.
     */
    void schedule(Segment segment, long atMs) {
        List<LazyFile> files = new ArrayList<>();
        for (LazyFile file : segment.files()) {
            if (file.exists()) {
                String name = file.path().getFileName().toString();
                file.moveTo(folder.path().resolve(name + "." + nextNumber + LogFolder.DELETED));
                files.add(file);
            } else {
                // the name may soon be that of another segment's file
                file.close();
            }
        }
        nextNumber++;
        waiting.add(new Due(files, atMs));
    }

    /** Deletes what has waited long enough; returns how many segments that were. */
    int run(long nowMs) {
        int deleted = 0;
        while (!waiting.isEmpty() && waiting.peek().atMs() <= nowMs) {
            for (LazyFile file : waiting.peek().files()) {
                file.close();
                folder.disk().delete(file.path());
            }
            waiting.remove();
            deleted++;
        }
        return deleted;
    }

    void close() {
        waiting.forEach(due -> due.files().forEach(LazyFile::close));
    }
}
