package io.millrace.broker.replication;

/**
 * How long replicas may be behind and count as in sync.
 *
 * @param maxLagMs how long a replica that asks for records may have less than the leader has
 * @param stallMs how long a replica may ask for nothing although there is something, if there are enough others in sync
 */
public record LagLimits(long maxLagMs, long stallMs) {
    private static final int FIRST_PROOF = 10;
    private static final int LONGEST_PROOF = 60;
    private static final int FORGIVEN = 600;

    /** How long a replica that has stalled as often must not stall before it is let in again. */
    long proofMs(int strikes) {
        int doubled = FIRST_PROOF << Math.min(strikes - 1, Integer.SIZE / 2);
        return strikes == 0 ? 0 : stallMs * Math.min(doubled, LONGEST_PROOF);
    }

    /** How long a replica must have been in sync for its earlier stalls to be forgotten. */
    long forgivenMs() {
        return stallMs * FORGIVEN;
    }
}
