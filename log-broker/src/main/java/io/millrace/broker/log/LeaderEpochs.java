package io.millrace.broker.log;

import io.millrace.kernel.DiskException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which leader epoch started at which offset (KIP-101), so that a follower finds out up to where its log is that of the
 * leader.
 *
 * <p>The file says it up to the last point made durable; what is behind it stands in the batches.
 */
final class LeaderEpochs {
    private static final String FILE = "leader-epoch-checkpoint";
    private static final String VERSION = "0";

    private EpochHistory history = EpochHistory.EMPTY;
    private boolean changed;

    static Path file(LogFolder folder) {
        return folder.path().resolve(FILE);
    }

    static LeaderEpochs load(LogFolder folder, boolean exists) {
        LeaderEpochs epochs = new LeaderEpochs();
        if (exists) {
            epochs.parse(new String(folder.disk().readFully(file(folder)), StandardCharsets.UTF_8), folder);
        }
        return epochs;
    }

    private void parse(String content, LogFolder folder) {
        try {
            List<String> lines = content.lines().toList();
            int count = Integer.parseInt(lines.get(1));
            List<EpochHistory.Start> starts = new ArrayList<>();
            for (String line : lines.subList(2, 2 + count)) {
                String[] words = line.split(" ");
                starts.add(new EpochHistory.Start(Integer.parseInt(words[0]), Long.parseLong(words[1])));
            }
            history = new EpochHistory(starts);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new DiskException(
                    DiskException.Kind.BROKEN,
                    "read",
                    file(folder),
                    "expected a version, a count and lines of epoch and offset");
        }
    }

    /** The file's content where it differs from what was last taken; null where it does not. */
    byte[] takeChanged() {
        if (!changed) {
            return null;
        }
        changed = false;
        List<EpochHistory.Start> starts = history.starts();
        StringBuilder lines = new StringBuilder(VERSION + "\n" + starts.size() + "\n");
        starts.forEach(start ->
                lines.append(start.epoch()).append(' ').append(start.offset()).append('\n'));
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    boolean isChanged() {
        return changed;
    }

    /** What was taken to be written was not. */
    void stillChanged() {
        changed = true;
    }

    /** As of now; it does not change any more. */
    EpochHistory history() {
        return history;
    }

    /** -1 where there is none. */
    int latest() {
        return history.latest();
    }

    /** Notes that an epoch has begun, unless that is known. */
    void assign(int epoch, long offset) {
        if (epoch > latest()) {
            List<EpochHistory.Start> starts = new ArrayList<>(history.starts());
            starts.removeIf(start -> start.offset() >= offset);
            starts.add(new EpochHistory.Start(epoch, offset));
            become(starts);
        }
    }

    void truncateEnd(long endOffset) {
        List<EpochHistory.Start> starts = new ArrayList<>(history.starts());
        if (starts.removeIf(start -> start.offset() >= endOffset)) {
            become(starts);
        }
    }

    void truncateStart(long startOffset) {
        List<EpochHistory.Start> starts = new ArrayList<>(history.starts());
        int floor = -1;
        while (floor + 1 < starts.size() && starts.get(floor + 1).offset() <= startOffset) {
            floor++;
        }
        if (floor >= 0 && (floor > 0 || starts.get(0).offset() < startOffset)) {
            EpochHistory.Start first = new EpochHistory.Start(starts.get(floor).epoch(), startOffset);
            starts.subList(0, floor + 1).clear();
            starts.add(0, first);
            become(starts);
        }
    }

    void clear() {
        if (!history.starts().isEmpty()) {
            become(List.of());
        }
    }

    private void become(List<EpochHistory.Start> starts) {
        history = new EpochHistory(starts);
        changed = true;
    }
}
