package io.millrace.broker.group;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** All groups, and when time will matter to them. */
final class Groups {
    private final Map<String, Group> byId = new TreeMap<>();
    private final SortedSet<Moment> deadlines = new TreeSet<>();
    private long retentionCheckMs;

    Group get(String id) {
        return byId.get(id);
    }

    List<Group> all() {
        return List.copyOf(byId.values());
    }

    void apply(GroupEvent event) {
        if (event instanceof GroupEvent.Replaced replaced) {
            Group group = replaced.group();
            forget(byId.put(group.id(), group));
            deadlines.add(new Moment(group.deadlineMs(), group.id()));
        } else if (event instanceof GroupEvent.Removed removed) {
            forget(byId.remove(removed.group()));
        } else if (event instanceof GroupEvent.RetentionChecked checked) {
            retentionCheckMs = checked.nextMs();
        }
    }

    private void forget(Group old) {
        if (old != null) {
            deadlines.remove(new Moment(old.deadlineMs(), old.id()));
        }
    }

    long nextDeadlineMs() {
        long nextMs = deadlines.isEmpty() ? Long.MAX_VALUE : deadlines.first().atMs();
        return Math.min(nextMs, retentionCheckMs);
    }

    List<Group> overdue(long nowMs) {
        return deadlines.headSet(new Moment(nowMs + 1, "")).stream()
                .map(moment -> byId.get(moment.group()))
                .toList();
    }

    boolean retentionDue(long nowMs) {
        return retentionCheckMs <= nowMs;
    }

    private record Moment(long atMs, String group) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            int byTime = Long.compare(atMs, other.atMs);
            return byTime != 0 ? byTime : group.compareTo(other.group);
        }
    }
}
