package io.millrace.kernel;

/**
 * One thread with a queue of messages. Whatever its handler owns is touched by that thread alone.
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
