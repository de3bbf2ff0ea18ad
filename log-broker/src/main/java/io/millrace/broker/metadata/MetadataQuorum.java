package io.millrace.broker.metadata;

import io.millrace.kernel.EventCodec;
import java.util.List;
import java.util.function.Consumer;

/** Agreement on the metadata log. Used by the metadata loop alone. */
public interface MetadataQuorum extends AutoCloseable {

    /** Hands over every committed record, oldest first; called once, before anything is appended. */
    void replay(Consumer<EventCodec.Entry> record);

    /**
     * Proposes records as one unit.
     *
     * @return the position behind them; they are committed once {@link Listener#committed} names it or a later one
     */
    long append(List<EventCodec.Entry> records);

    /** Who is told of progress, on the metadata loop. */
    void onProgress(Listener listener);

    /** The loop has nothing more to propose for now: the place to make a batch durable at once. */
    void batchEnd();

    @Override
    void close();

    /** Hears of commits. */
    @FunctionalInterface
    interface Listener {
        void committed(long upTo);
    }
}
