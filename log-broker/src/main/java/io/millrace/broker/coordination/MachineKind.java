package io.millrace.broker.coordination;

import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Machine;
import java.util.function.BiConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * A kind of coordinator: on which topic it lives and how it is made.
 *
 * @param topic the internal topic that holds its events; a coordinator stands on each partition
 */
public record MachineKind<C, E, F>(
        String topic,
        Factory<C, E, F> machines,
        EventCodec<E> codec,
        Effects<C, F> effects,
        BiConsumer<C, RuntimeException> refuse,
        C loaded) {

    /** Makes a machine with empty state. */
    @FunctionalInterface
    public interface Factory<C, E, F> {
        Machine<C, E, F> create(TopicPartition partition);
    }

    /** Performs what a machine wants done. */
    @FunctionalInterface
    public interface Effects<C, F> {

        /** @param self the coordinator, to which answers can be sent as commands */
        void perform(F effect, HostedCoordinator<C, ?, F> self);
    }
}
