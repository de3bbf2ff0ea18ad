package io.millrace.broker.metadata;

import io.millrace.kernel.EventCodec;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Agreement on the metadata log: every node hears of the same records in the same order, and at most one node of a term
 * may propose new ones. Used by the metadata loop alone; the {@link Listener} is called on it, too.
 *
 * <p>Each record carries the whole new value of its key (see {@link MetadataCodec}), so an implementation may forget a
 * record once a newer one of the same key is committed.
 */
public interface MetadataQuorum extends AutoCloseable {

    /** Begins to take part; called once. The listener may be called from within. */
    void start(Listener listener);

    /**
     * Proposes records as one unit, all of which are committed, or none. Only for the node that was told {@link
     * Listener#leading}. Proposals of a term are committed in their order, without gaps between them; one whose term has
     * ended may be lost without a word.
     *
     * @param term the one that was told; a proposal of another term is dropped
     * @param number 1 for the first proposal of a term, one more for each later one
     */
    void propose(long term, long number, List<EventCodec.Entry> records);

    /** The loop has nothing more to propose for now: the place to make a batch durable at once. */
    void batchEnd();

    /**
     * The process of this node is dead. If it led, a voter stands for election at once, rather than when it has missed the
     * leader for long enough. An error costs an election, no more: a leader that lives steps down.
     */
    void leaderDied(int node);

    /**
     * Whether this node, which was told that it leads, has heard of a majority of the voters so lately that none of them can
     * have another leader yet.
     */
    boolean holdsMajority();

    /**
     * Lets another voter lead if this node does and one is able to, so that the others need not miss this one when it stops;
     * any thread. Completes when another one leads or none would.
     */
    CompletableFuture<Void> resign();

    /** Who votes, and how far each has come; any thread. */
    Description describe();

    @Override
    void close();

    /** Hears of what the quorum agrees on. */
    interface Listener {

        /**
         * A whole state, in place of everything heard so far: at the start, and where a node has fallen too far behind.
         *
         * @param upTo the position it stands for
         */
        void snapshot(long upTo, List<EventCodec.Entry> records);

        /**
         * Records are committed.
         *
         * @param position of this unit in the log; it rises with every call
         * @param origin which proposal this is
         */
        void committed(long position, Origin origin, List<EventCodec.Entry> records);

        /**
         * Another leader, or none, as far as this node knows.
         *
         * @param leader a node id, or -1
         */
        void leader(int leader, long term);

        /** This node leads, has heard of everything committed in earlier terms, and may propose. */
        void leading(long term);
    }

    /** Where records come from. */
    record Origin(long term, long number) {}

    /**
     * The quorum at one moment.
     *
     * @param leader a node id, or -1 where none is known
     * @param highWatermark the position up to which records are committed
     */
    record Description(int leader, long term, long highWatermark, List<Member> voters, List<Member> observers) {}

    /**
     * A node and how far its log reaches, as far as this node knows.
     *
     * @param endOffset -1 where it is not known
     * @param lastFetchMs when it was last heard of, by the wall clock; -1 where it is not known
     * @param lastCaughtUpMs likewise
     */
    record Member(int node, long endOffset, long lastFetchMs, long lastCaughtUpMs) {}
}
