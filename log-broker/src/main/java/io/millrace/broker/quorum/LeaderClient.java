package io.millrace.broker.quorum;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.util.TimeDuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the leader, wherever it is, for what it alone can do; any thread. */
final class LeaderClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderClient.class);

    private final List<RaftPeer> voters;
    private final QuorumSettings settings;
    private final RaftClient client;

    LeaderClient(QuorumMembership membership, QuorumSettings settings, RaftProperties properties) {
        this.voters = membership.voters().stream().map(Peers::voter).toList();
        this.settings = settings;
        this.client = RaftClient.newBuilder()
                .setProperties(properties)
                .setRaftGroup(Peers.group(membership))
                .setRetryPolicy(RetryPolicies.retryUpToMaximumCountWithFixedSleep(
                        voters.size(), // until it is the leader
                        TimeDuration.valueOf(settings.electionMinMs(), TimeUnit.MILLISECONDS)))
                .build();
    }

    /**
     * What the leader knows of the members.
     *
     * @throws IOException where no voter answers that it leads
     */
    GroupInfoReply info() throws IOException {
        IOException unheard = new IOException("no voter answers as the leader of the metadata quorum");
        for (RaftPeer voter : voters) {
            try {
                GroupInfoReply reply =
                        client.getGroupManagementApi(voter.getId()).info(client.getGroupId());
                if (reply.getRoleInfoProto().hasLeaderInfo()) {
                    return reply;
                }
            } catch (IOException e) {
                unheard.addSuppressed(e);
            }
        }
        throw unheard;
    }

    long term() throws IOException {
        return info().getRoleInfoProto().getLeaderInfo().getTerm();
    }

    void change(SetConfigurationRequest.Arguments members) throws IOException {
        check(client.admin().setConfiguration(members));
    }

    /** Has another leader elected, or the same one in a new term. */
    void stepDown() throws IOException {
        check(client.admin().transferLeadership(null, settings.electionMaxMs()));
    }

    private static void check(RaftClientReply reply) throws IOException {
        if (!reply.isSuccess()) {
            throw reply.getException();
        }
    }

    /** Writes an entry that belongs to no term, and is skipped. */
    void nudge() {
        try {
            client.io().send(Message.EMPTY);
        } catch (IOException e) {
            LOG.debug("could not write an empty entry to the metadata log", e);
        }
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            LOG.warn("the client of the metadata quorum did not stop properly", e);
        }
    }
}
