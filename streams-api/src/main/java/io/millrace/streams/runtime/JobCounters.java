package io.millrace.streams.runtime;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a job has done since it was started in this process. Written by workers, read by anybody. */
final class JobCounters {
    final LongAdder processed = new LongAdder();
    final LongAdder written = new LongAdder();
    final LongAdder deadLetters = new LongAdder();
    final LongAdder commits = new LongAdder();
    final LongAdder aborts = new LongAdder();
    final LongAdder restored = new LongAdder();
    private final Map<String, LongAdder> dropped = new ConcurrentHashMap<>();

    /** A record that had no effect, by the reason for it. */
    void dropped(String reason) {
        dropped.computeIfAbsent(reason, r -> new LongAdder()).increment();
    }

    Map<String, Long> dropped() {
        Map<String, Long> sums = new TreeMap<>();
        dropped.forEach((reason, count) -> sums.put(reason, count.sum()));
        return sums;
    }
}
