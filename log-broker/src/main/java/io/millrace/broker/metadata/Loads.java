package io.millrace.broker.metadata;

import java.util.HashMap;
import java.util.Map;

/** How many replicas each broker has, or will have when what is under way is done. */
final class Loads {
    private final Map<Integer, Integer> replicas = new HashMap<>();

    Loads(Draft draft) {
        for (TopicImage topic : draft.image().topics().values()) {
            for (int index = 0; index < topic.partitions().size(); index++) {
                draft.partition(topic, index).target().forEach(this::add);
            }
        }
    }

    void add(int node) {
        replicas.merge(node, 1, Integer::sum);
    }

    int of(int node) {
        return replicas.getOrDefault(node, 0);
    }
}
