package io.millrace.broker.partition;

import io.millrace.broker.log.ReadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Readers that wait for more than they have seen, at most one wait for each owner. */
final class Readers {
    private static final int TIDY_ABOVE = 64;

    private final Map<Object, Waiting> waiting = new LinkedHashMap<>();
    private int tidyAbove = TIDY_ABOVE;

    void add(FetchWaits.Wait wait, FetchWaits.Reader reader) {
        if (waiting.size() >= tidyAbove) {
            waiting.values().removeIf(other -> other.reader().gone());
            tidyAbove = Math.max(TIDY_ABOVE, 2 * waiting.size());
        }
        waiting.put(reader.owner(), new Waiting(wait, reader));
    }

    /** Wakes those who can see more now. */
    void wake(ReadView view) {
        if (!waiting.isEmpty()) {
            waiting.values().removeIf(one -> {
                boolean more = one.sought().sight().end(view) > one.sought().seenEnd();
                if (more) {
                    one.reader().wake();
                }
                return more;
            });
        }
    }

    void wakeAll() {
        List<Waiting> all = new ArrayList<>(waiting.values());
        waiting.clear();
        all.forEach(one -> one.reader().wake());
    }

    private record Waiting(FetchWaits.Wait sought, FetchWaits.Reader reader) {}
}
