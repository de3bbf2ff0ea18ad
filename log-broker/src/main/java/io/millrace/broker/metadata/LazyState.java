package io.millrace.broker.metadata;

import java.util.ArrayList;
import java.util.List;

/** A state and the events since, which are applied when somebody looks: many of them then cost little more than one. */
final class LazyState {
    private final List<MetadataEvent> since = new ArrayList<>();
    private MetadataState state;

    LazyState(MetadataState state) {
        this.state = state;
    }

    void add(MetadataEvent event) {
        since.add(event);
    }

    MetadataState get() {
        if (!since.isEmpty()) {
            state = state.with(since);
            since.clear();
        }
        return state;
    }
}
