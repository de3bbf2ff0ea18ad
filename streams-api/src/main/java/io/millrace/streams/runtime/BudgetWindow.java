package io.millrace.streams.runtime;

import java.util.BitSet;

/**
 * The last records of one partition, good and bad. Travels in the metadata of the committed offset, so that a job which
 * is started again and again by a supervisor does not get a new budget each time.
 */
final class BudgetWindow {
    private static final String PREFIX = "bad:";

    private final BadRecordBudget budget;
    private BitSet bad = new BitSet();
    private int next;

    BudgetWindow(BadRecordBudget budget) {
        this.budget = budget;
    }

    void good() {
        if (bad.isEmpty()) {
            return; // nearly always; and then it does not matter where in the window this one stands
        }
        bad.clear(next);
        next = (next + 1) % budget.window();
    }

    void bad() {
        bad.set(next);
        next = (next + 1) % budget.window();
    }

    boolean exhausted() {
        return bad.cardinality() > budget.limit();
    }

    /** How many more bad records fit. */
    int room() {
        return Math.max(0, budget.limit() - bad.cardinality());
    }

    String describe() {
        return "%d of the last %d records are bad, %d are allowed"
                .formatted(bad.cardinality(), budget.window(), budget.limit());
    }

    /** Empty while nothing is bad, which is nearly always. */
    String save() {
        return bad.isEmpty()
                ? ""
                : PREFIX + next + ":" + java.util.HexFormat.of().formatHex(bad.toByteArray());
    }

    void load(String metadata) {
        bad = new BitSet();
        next = 0;
        String[] parts = metadata.split(":", -1);
        if (metadata.startsWith(PREFIX) && parts.length == 3) {
            next = Integer.parseInt(parts[1]) % budget.window();
            bad = BitSet.valueOf(java.util.HexFormat.of().parseHex(parts[2]));
            bad.clear(budget.window(), Math.max(budget.window(), bad.length()));
        }
    }
}
