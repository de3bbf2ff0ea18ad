package io.millrace.broker.quorum;

import io.millrace.broker.metadata.proto.ProposalRecord;
import io.millrace.kernel.Loop;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes this node's proposals to the log. All later ones of a term depend on each that was lost, so the first loss ends
 * the term: nothing more is proposed in it, every node skips what was already under way, and the leadership is given up.
 */
final class Proposals {
    private static final Logger LOG = LoggerFactory.getLogger(Proposals.class);

    private final LocalRaft raft;
    private final Loop<Runnable> loop;
    private final long stepDownMs;
    private final AtomicLong givenUp = new AtomicLong(-1); // terms up to this one are

    Proposals(LocalRaft raft, Loop<Runnable> loop, QuorumSettings settings) {
        this.raft = raft;
        this.loop = loop;
        this.stepDownMs = settings.requestTimeoutMs();
    }

    /** Any thread. */
    void proposeOnLoop(List<ProposalRecord> units) {
        loop.submit(() -> units.forEach(this::propose));
    }

    /** On the metadata loop. */
    void propose(ProposalRecord unit) {
        long term = unit.getTerm();
        if (term <= givenUp.get()) {
            return;
        }
        byte[] entry = unit.toByteArray();
        if (entry.length > RatisProperties.MAX_ENTRY_BYTES / 2) { // the half that is left is more than any frame needs
            giveUp(
                    term,
                    new IllegalArgumentException("a unit of " + unit.getEntriesCount() + " records has " + entry.length
                            + " bytes, and at most " + RatisProperties.MAX_ENTRY_BYTES / 2 + " are possible"));
            return;
        }
        raft.append(entry).whenComplete((reply, failure) -> {
            if (failure != null || !reply.isSuccess()) {
                giveUp(term, failure != null ? failure : reply.getException());
            }
        });
    }

    private void giveUp(long term, Throwable why) {
        if (givenUp.getAndAccumulate(term, Math::max) < term && raft.leads(term)) {
            LOG.warn("a proposal of term {} was lost; gives up the leadership", term, why);
            raft.handOver(null, stepDownMs);
        }
    }
}
