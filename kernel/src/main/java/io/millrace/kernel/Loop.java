package io.millrace.kernel;

/**
 * One thread with a queue of messages. Its handler runs for one message at a time, and what it owns is touched by
 * nobody else.
 *
 * <p>Loops never wait for each other: {@link #submit} always takes the message. A caller that can push back (a socket)
 * slows down when told that the queue is over its capacity; one that cannot (another loop, a timer) is bounded by the
 * requests in flight that made it send.
 */
public interface Loop<M> extends AutoCloseable {

    /**
     * Queues a message; messages of one sender are handled in the order they were submitted.
     *
     * @return false when the queue is over its capacity and the sender should stop taking in new work
     */
    boolean submit(M message);

    /**
     * Like {@link #submit}, but an idle loop handles the message before this returns, on the calling thread: that saves
     * waking up the loop, and often waking up the sender for the answer. For messages that take little time, of senders
     * that may be held up.
     */
    default boolean handOver(M message) {
        return submit(message);
    }

    /** Handles what is queued, then ends the thread; returns when it has ended. Later messages are dropped. */
    @Override
    void close();

    /** What a loop does with its messages. */
    interface Handler<M> {

        void handle(M message);

        /** Called when the queue ran empty or a batch of messages is done: the place for work shared by a batch. */
        default void batchEnd() {}
    }
}
