package io.millrace.kernel;

import java.util.List;

/** What a machine decided: events to record and apply in order, and effects to perform once those are committed. */
public record Decision<E, F>(List<E> events, List<F> effects) {

    public Decision {
        events = List.copyOf(events);
        effects = List.copyOf(effects);
    }

    public static <E, F> Decision<E, F> nothing() {
        return new Decision<>(List.of(), List.of());
    }

    public static <E, F> Decision<E, F> reply(F effect) {
        return new Decision<>(List.of(), List.of(effect));
    }
}
