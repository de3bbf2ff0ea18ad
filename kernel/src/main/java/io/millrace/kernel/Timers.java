package io.millrace.kernel;

/** Delays that come back as messages on the loop that asked, never as a callback on a foreign thread. */
public interface Timers {

    /**
     * Submits {@code message} to {@code loop} once {@code delayMs} milliseconds have passed.
     *
     * @return a handle; cancelling it after the message was submitted has no effect
     */
    <M> Timer after(long delayMs, Loop<M> loop, M message);

    /** A timer that has been set. */
    interface Timer {
        void cancel();
    }
}
