package io.millrace.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs a machine over a journal: appends what it decides, applies as it appends, and performs the effects once the
 * events, and all events they may have been decided upon, are committed. Used by one thread.
 */
public final class MachineHost<C, E, F> {
    private final Machine<C, E, F> machine;
    private final EventCodec<E> codec;
    private final Journal journal;
    private final Consumer<F> perform;
    private final BiConsumer<C, RuntimeException> refuse;
    private final Queue<Waiting<F>> waiting = new ArrayDeque<>();
    private long appendedUpTo;
    private long committedUpTo;

    /**
     * @param perform what to do with an effect
     * @param refuse what to tell the sender of a command whose events cannot be appended
     */
    public MachineHost(
            Machine<C, E, F> machine,
            EventCodec<E> codec,
            Journal journal,
            Consumer<F> perform,
            BiConsumer<C, RuntimeException> refuse) {
        this.machine = machine;
        this.codec = codec;
        this.journal = journal;
        this.perform = perform;
        this.refuse = refuse;
    }

    /** Applies a record read back from the journal; for the time before the first command. */
    public void replay(EventCodec.Entry entry) {
        machine.apply(codec.decode(entry));
    }

    public void command(C command, long nowMs) {
        try {
            carryOut(machine.decide(command, nowMs));
        } catch (DiskException e) {
            refuse.accept(command, e);
        } catch (RuntimeException mistake) {
            refuse.accept(command, mistake); // whoever waits for the answer must not wait in vain
            throw mistake;
        }
    }

    /** Lets the machine act upon the time, if it has something to do. */
    public void onTime(long nowMs) {
        if (machine.nextDeadlineMs() <= nowMs) {
            carryOut(machine.onTime(nowMs));
        }
    }

    private void carryOut(Decision<E, F> decision) {
        List<EventCodec.Entry> entries = new ArrayList<>();
        decision.events().forEach(event -> codec.encode(event).ifPresent(entries::add));
        if (!entries.isEmpty()) {
            appendedUpTo = journal.append(entries);
        }
        decision.events().forEach(machine::apply);
        decision.effects().forEach(effect -> waiting.add(new Waiting<>(appendedUpTo, effect)));
        release();
    }

    /** Tells that everything below a position of the journal is committed. */
    public void committed(long upTo) {
        committedUpTo = Math.max(committedUpTo, upTo);
        release();
    }

    private void release() {
        while (!waiting.isEmpty() && waiting.peek().position() <= committedUpTo) {
            perform.accept(waiting.remove().effect());
        }
    }

    /** Where events are recorded. */
    @FunctionalInterface
    public interface Journal {

        /**
         * Appends records as one unit.
         *
         * @return the position behind them
         * @throws DiskException when they cannot be appended; nothing of them is
         */
        long append(List<EventCodec.Entry> entries);
    }

    private record Waiting<F>(long position, F effect) {}
}
