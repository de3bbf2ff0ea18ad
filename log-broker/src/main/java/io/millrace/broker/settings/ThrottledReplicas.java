package io.millrace.broker.settings;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which replicas of a topic a throttle is for (KIP-73): {@code PARTITION:BROKER} pairs with commas between them, {@code *}
 * for all, or nothing for none.
 */
public final class ThrottledReplicas {
    public static final ThrottledReplicas NONE = new ThrottledReplicas(false, Set.of());

    private static final ThrottledReplicas ALL = new ThrottledReplicas(true, Set.of());
    private static final Pattern PAIR = Pattern.compile("\\d+:\\d+");

    private final boolean all;
    private final Set<Replica> some;

    private ThrottledReplicas(boolean all, Set<Replica> some) {
        this.all = all;
        this.some = some;
    }

    /** @throws IllegalArgumentException when it is no such list */
    public static ThrottledReplicas parse(String list) {
        if (list.equals("*")) {
            return ALL;
        }
        Set<Replica> some = new HashSet<>();
        if (!list.isEmpty()) {
            for (String pair : list.split(",", -1)) {
                some.add(Replica.parse(pair.trim()));
            }
        }
        return new ThrottledReplicas(false, some);
    }

    public boolean contains(int partition, int broker) {
        return all || some.contains(new Replica(partition, broker));
    }

    private record Replica(int partition, int broker) {
        static Replica parse(String pair) {
            if (!PAIR.matcher(pair).matches()) {
                throw new IllegalArgumentException("'" + pair + "' is not PARTITION:BROKER");
            }
            int colon = pair.indexOf(':');
            return new Replica(Integer.parseInt(pair.substring(0, colon)), Integer.parseInt(pair.substring(colon + 1)));
        }
    }
}
