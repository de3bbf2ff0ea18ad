package io.millrace.streams;

import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The aggregations that come with Millrace, and {@link #custom} for all others. */
public final class Aggregations {
    private Aggregations() {}

    public static <V> Aggregation<V, Long> count() {
        return new Aggregation<>("count", Formats.int64(), value -> 1L, (value, soFar) -> soFar + 1);
    }

    /** An overflow fails the record that caused it. */
    public static <V> Aggregation<V, Long> sum(ToLongFunction<? super V> field) {
        return new Aggregation<>(
                "sum",
                Formats.int64(),
                field::applyAsLong,
                (value, soFar) -> Math.addExact(soFar, field.applyAsLong(value)));
    }

    public static <V, A extends Comparable<? super A>> Aggregation<V, A> min(
            Function<? super V, ? extends A> field, Format<A> format) {
        return new Aggregation<>("min", format, field::apply, (value, soFar) -> {
            A candidate = field.apply(value);
            return candidate.compareTo(soFar) < 0 ? candidate : soFar;
        });
    }

    public static <V, A extends Comparable<? super A>> Aggregation<V, A> max(
            Function<? super V, ? extends A> field, Format<A> format) {
        return new Aggregation<>("max", format, field::apply, (value, soFar) -> {
            A candidate = field.apply(value);
            return candidate.compareTo(soFar) > 0 ? candidate : soFar;
        });
    }

    public static <V> Aggregation<V, Average> average(ToDoubleFunction<? super V> field) {
        return custom(
                "average",
                Formats.json(Average.class),
                () -> Average.NONE,
                (value, soFar) -> soFar.with(field.applyAsDouble(value)));
    }

    /** {@code empty} is what {@code next} adds a key's first value to. */
    public static <V, A> Aggregation<V, A> custom(
            String name, Format<A> format, Supplier<A> empty, Aggregation.Next<? super V, A> next) {
        return new Aggregation<>(name, format, value -> next.of(value, empty.get()), next::of);
    }
}
