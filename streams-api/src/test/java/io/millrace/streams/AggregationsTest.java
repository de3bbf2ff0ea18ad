package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class AggregationsTest {
    record Order(long cents) {}

    @Test
    void fold_the_values_of_a_key() {
        assertThat(fold(Aggregations.count(), 5, 7, 6)).isEqualTo(3L);
        assertThat(fold(Aggregations.sum(Order::cents), 5, 7, 6)).isEqualTo(18L);
        assertThat(fold(Aggregations.min(Order::cents, Formats.int64()), 5, 7, 4))
                .isEqualTo(4L);
        assertThat(fold(Aggregations.max(Order::cents, Formats.int64()), 5, 7, 4))
                .isEqualTo(7L);
        assertThat(fold(Aggregations.average(Order::cents), 5, 7).mean()).isEqualTo(6.0);
        Aggregation<Order, String> joined =
                Aggregations.custom("join", Formats.text(), () -> "", (order, soFar) -> soFar + order.cents());
        assertThat(fold(joined, 1, 2)).isEqualTo("12");
    }

    @Test
    void sum_refuses_to_overflow() {
        Aggregation<Order, Long> sum = Aggregations.sum(Order::cents);

        assertThatThrownBy(() -> sum.add(new Order(1), Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
    }

    private static <A> A fold(Aggregation<Order, A> aggregation, long... cents) {
        A soFar = null;
        for (long value : cents) {
            soFar = aggregation.add(new Order(value), soFar);
        }
        return soFar;
    }

    @Test
    void average_of_nothing_is_not_a_number() {
        assertThat(List.of(new Average(0, 0).mean())).containsExactly(Double.NaN);
    }
}
