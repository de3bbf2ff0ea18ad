package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;

/** Reaches what Ratis keeps within its package. */
public final class Appenders {
    private Appenders() {}

    /** Has a leader begin anew to send to each follower, as it does after whatever it did not expect. */
    public static void restart(RaftServer.Division leader) {
        LeaderStateImpl state =
                ((RaftServerImpl) leader).getRole().getLeaderState().orElseThrow();
        state.getLogAppenders().toList().forEach(state::restart);
    }
}
