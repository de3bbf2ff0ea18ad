package io.millrace.broker.quorum;

import io.millrace.broker.metadata.proto.KeyAndValue;
import io.millrace.broker.metadata.proto.ProposalRecord;
import io.millrace.kernel.EventCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from an elected leader to one that leads. The first voter of the list forms the quorum, once: it may have the
 * metadata of the time when it was alone, which the others know nothing of and must not begin without.
 *
 * <pre>
 * elected, quorum formed                     --> leads
 * elected, not formed, this is the first     --> writes what it has as the first units --when committed--> leads
 * elected, not formed, this is another voter --> hands over to the first voter, and tries that until it is done
 * </pre>
 *
 * Told by the thread that applies entries.
 */
final class Forming {
    private static final Logger LOG = LoggerFactory.getLogger(Forming.class);
    private static final int UNIT_BYTES = 1 << 20;

    private final LocalRaft raft;
    private final Announcements announcements;
    private final Proposals proposals;
    private final List<EventCodec.Entry> seed;
    private final RaftPeerId first;
    private final int retryMs;
    private long elected = -1; // the newest term in which this node was

    Forming(
            LocalRaft raft,
            QuorumNode first,
            Announcements announcements,
            Proposals proposals,
            List<EventCodec.Entry> seed,
            int retryMs) {
        this.raft = raft;
        this.first = Peers.voter(first).getId();
        this.announcements = announcements;
        this.proposals = proposals;
        this.seed = List.copyOf(seed);
        this.retryMs = retryMs;
    }

    /** This node was elected and has applied everything of earlier terms. */
    void elected(long term, boolean formed) {
        elected = term;
        if (formed) {
            announcements.leading(term);
        } else if (first.equals(raft.self())) {
            LOG.info("forms the metadata quorum with {} records", seed.size());
            proposals.proposeOnLoop(units(term));
        } else {
            LOG.info("the metadata quorum is formed by its first voter, {}; hands over to it", first);
            handOver(term);
        }
    }

    /** The last of the units that form the quorum was applied. */
    void formed(long term) {
        if (term == elected) {
            announcements.leading(term);
        }
    }

    private void handOver(long term) {
        Executor later = CompletableFuture.delayedExecutor(retryMs, TimeUnit.MILLISECONDS);
        raft.handOver(first, 2L * retryMs)
                .whenCompleteAsync(
                        (reply, failure) -> {
                            if (raft.leads(term)) {
                                handOver(term);
                            }
                        },
                        later);
    }

    private List<ProposalRecord> units(long term) {
        List<ProposalRecord> units = new ArrayList<>();
        ProposalRecord.Builder unit = ProposalRecord.newBuilder().setTerm(term);
        int bytes = 0;
        for (EventCodec.Entry entry : seed) {
            KeyAndValue record = QuorumState.record(entry);
            if (bytes > 0 && bytes + record.getSerializedSize() > UNIT_BYTES) {
                units.add(unit.build());
                unit.clearEntries();
                bytes = 0;
            }
            unit.addEntries(record);
            bytes += record.getSerializedSize();
        }
        units.add(unit.setFormed(true).build());
        return units;
    }
}
