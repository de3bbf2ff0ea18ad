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

    private record Start(int epoch, long offset) {}

    private final List<Start> starts = new ArrayList<>();
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
            for (String line : lines.subList(2, 2 + count)) {
                String[] words = line.split(" ");
                starts.add(new Start(Integer.parseInt(words[0]), Long.parseLong(words[1])));
            }
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

    /** Notes that an epoch has begun, unless that is known. */
    void assign(int epoch, long offset) {
        if (epoch > latest()) {
            while (!starts.isEmpty() && starts.get(starts.size() - 1).offset() >= offset) {
                starts.remove(starts.size() - 1);
            }
            starts.add(new Start(epoch, offset));
            changed = true;
        }
    }

    /** -1 where there is none. */
    int latest() {
        return starts.isEmpty() ? -1 : starts.get(starts.size() - 1).epoch();
    }

    OffsetAndEpoch endOf(int epoch, long endOffset) {
        if (epoch < 0 || epoch > latest()) {
            return OffsetAndEpoch.UNKNOWN;
        }
        int known = epoch;
        boolean found = false;
        for (Start start : starts) {
            if (start.epoch() > epoch) {
                return new OffsetAndEpoch(start.offset(), found ? known : epoch);
            }
            known = start.epoch();
            found = true;
        }
        return new OffsetAndEpoch(endOffset, known);
    }

    void truncateEnd(long endOffset) {
        changed |= starts.removeIf(start -> start.offset() >= endOffset);
    }

    void truncateStart(long startOffset) {
        int floor = -1;
        while (floor + 1 < starts.size() && starts.get(floor + 1).offset() <= startOffset) {
            floor++;
        }
        if (floor >= 0 && (floor > 0 || starts.get(0).offset() < startOffset)) {
            Start first = new Start(starts.get(floor).epoch(), startOffset);
            starts.subList(0, floor + 1).clear();
            starts.add(0, first);
            changed = true;
        }
    }

    void clear() {
        changed |= !starts.isEmpty();
        starts.clear();
    }
}
