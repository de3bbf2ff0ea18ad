package io.millrace.streams;

/**
 * Folds the values of a key into one. {@code first} makes the state from a key's first value, {@code next} adds a later
 * one; both must depend on nothing but their arguments, since an interval that was aborted is computed again.
 */
public record Aggregation<V, A>(String name, Format<A> format, First<V, A> first, Next<V, A> next) {
    @FunctionalInterface
    public interface First<V, A> {
        A of(V value);
    }

    @FunctionalInterface
    public interface Next<V, A> {
        A of(V value, A soFar);
    }

    public A add(V value, A soFar) {
        return soFar == null ? first.of(value) : next.of(value, soFar);
    }
}
