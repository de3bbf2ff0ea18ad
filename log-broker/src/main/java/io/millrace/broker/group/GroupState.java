package io.millrace.broker.group;

/**
 * Where a group stands.
 *
 * <pre>
 * EMPTY       --first member-->                         PREPARING
 * PREPARING   --all have joined, or time is up-->       COMPLETING (or EMPTY when nobody is left)
 * COMPLETING  --the leader hands in the assignment-->   STABLE
 * COMPLETING, STABLE  --a member comes, goes, changes-->  PREPARING
 * </pre>
 */
public enum GroupState {
    EMPTY("Empty"),
    PREPARING("PreparingRebalance"),
    COMPLETING("CompletingRebalance"),
    STABLE("Stable");

    private final String title;

    GroupState(String title) {
        this.title = title;
    }

    /** The name that clients see. */
    public String title() {
        return title;
    }
}
