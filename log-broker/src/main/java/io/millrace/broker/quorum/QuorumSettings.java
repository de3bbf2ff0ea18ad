package io.millrace.broker.quorum;

/**
 * How patient the quorum is, and how long its log grows.
 *
 * @param electionMinMs without a word from a leader for at least this long, a voter stands for election
 * @param electionMaxMs and at the latest after this long
 * @param requestTimeoutMs for requests between nodes
 * @param snapshotEvery entries of the log between two snapshots
 * @param segmentBytes the size of a file of the log; whole files are deleted once a snapshot stands for them
 */
public record QuorumSettings(
        int electionMinMs, int electionMaxMs, int requestTimeoutMs, long snapshotEvery, int segmentBytes) {
    public static final QuorumSettings DEFAULTS = new QuorumSettings(400, 800, 2000, 10_000, 8 << 20);

    public QuorumSettings {
        if (electionMinMs < 1 || electionMaxMs <= electionMinMs) {
            throw new IllegalArgumentException("an election after " + electionMinMs + " to " + electionMaxMs
                    + " ms; the first must be positive and the second greater");
        }
        if (requestTimeoutMs < 1 || snapshotEvery < 1 || segmentBytes < 1) {
            throw new IllegalArgumentException("a request time-out of " + requestTimeoutMs + " ms, a snapshot every "
                    + snapshotEvery + " entries and segments of " + segmentBytes + " bytes; all must be positive");
        }
    }

    /** Who has not been heard of for this long is taken for gone: a member by the leader, the leader by a member. */
    int silenceMs() {
        return 5 * electionMaxMs;
    }
}
