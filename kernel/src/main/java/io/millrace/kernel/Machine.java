package io.millrace.kernel;

/**
 * An event-sourced state machine: {@link #decide} reads the state and answers what happens, {@link #apply} alone
 * changes it. Live operation, restart and fail-over share {@code apply}, so a state rebuilt from the log equals the
 * state that wrote it.
 *
 * <p>Whoever hosts a machine appends a decision's events to a log, applies them as it appends, and performs the
 * effects once the events are committed. It calls from one thread.
 *
 * @param <C> commands: what is asked of the machine
 * @param <E> events: what has happened; see {@link EventCodec} for which of them are recorded
 * @param <F> effects: replies and requests to others that leave when the events are committed
 */
public interface Machine<C, E, F> {

    /** Answers a command; must not change any state. */
    Decision<E, F> decide(C command, long nowMs);

    /** The earliest moment at which {@link #onTime} has something to do; {@link Long#MAX_VALUE} for none. */
    long nextDeadlineMs();

    /** What the passing of time brings; called at or after {@link #nextDeadlineMs}. Must not change any state. */
    Decision<E, F> onTime(long nowMs);

    /** Changes the state; must not fail, and must not look at clock or chance. */
    void apply(E event);
}
