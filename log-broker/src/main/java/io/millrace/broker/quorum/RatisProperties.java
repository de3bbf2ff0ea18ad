package io.millrace.broker.quorum;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.netty.NettyConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.LeaderElection;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.server.RaftServerConfigKeys.RetryCache;
import org.apache.ratis.server.RaftServerConfigKeys.Rpc;
import org.apache.ratis.server.RaftServerConfigKeys.Snapshot;
import org.apache.ratis.server.RaftServerConfigKeys.Write;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** What Ratis is told to do other than by default, and why. */
final class RatisProperties {
    /** The largest entry of the log: a topic of a hundred thousand partitions fits. */
    static final int MAX_ENTRY_BYTES = 8 << 20;

    private RatisProperties() {}

    static RaftProperties of(QuorumSettings settings, QuorumNode own, Path folder) {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(properties, List.of(folder.toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                properties, folder.resolve("removed").toFile()); // by default in /tmp
        transport(properties, settings, own);
        elections(properties, settings);
        log(properties, settings);
        return properties;
    }

    private static void transport(RaftProperties properties, QuorumSettings settings, QuorumNode own) {
        RaftConfigKeys.Rpc.setType(properties, new QuorumRpc());
        NettyConfigKeys.Server.setPort(properties, own.port());
        NettyConfigKeys.Server.setUseEpoll(
                properties, false); // would unpack a native library for a few requests a second
        NettyConfigKeys.Client.setUseEpoll(properties, false);
        Rpc.setRequestTimeout(properties, millis(settings.requestTimeoutMs()));
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, millis(settings.requestTimeoutMs()));
        Rpc.setSleepTime(
                properties, millis(settings.electionMinMs() / 4)); // between two tries to reach a node that is down
        // The metadata loop proposes without waiting, and a proposal refused for want of room would end the term.
        Write.setElementLimit(properties, 1 << 20);
        Write.setByteLimit(properties, SizeInBytes.valueOf(256 << 20));
        // Proposals are never sent twice, so answers need not be remembered for long.
        RetryCache.setExpiryTime(properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
    }

    private static void elections(RaftProperties properties, QuorumSettings settings) {
        Rpc.setTimeoutMin(properties, millis(settings.electionMinMs()));
        Rpc.setTimeoutMax(properties, millis(settings.electionMaxMs()));
        // A leader that has lost its followers for a moment may be needed to have a leader at all.
        LeaderElection.setLeaderStepDownWaitTime(properties, millis(2L * settings.electionMaxMs()));
        RaftServerConfigKeys.setStagingTimeout(properties, millis(settings.silenceMs()));
        // A machine that was asleep goes on; by default it would never take part again.
        RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(365, TimeUnit.DAYS));
    }

    private static void log(RaftProperties properties, QuorumSettings settings) {
        Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(settings.segmentBytes()));
        Log.setPreallocatedSize(properties, SizeInBytes.valueOf(Math.min(64 << 10, settings.segmentBytes())));
        Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf(MAX_ENTRY_BYTES));
        Log.setWriteBufferSize(properties, SizeInBytes.valueOf(MAX_ENTRY_BYTES + 1024)); // an entry and its frame
        Snapshot.setAutoTriggerEnabled(properties, true);
        Snapshot.setAutoTriggerThreshold(properties, settings.snapshotEvery());
        Snapshot.setTriggerWhenStopEnabled(properties, false); // a controlled stop should not differ from a kill
        Snapshot.setRetentionFileNum(properties, 2);
        // A node that stays away must not make the log of the others grow; it gets a snapshot when it comes back.
        Log.setPurgeUptoSnapshotIndex(properties, true);
        Log.setPurgeGap(properties, 1);
        Log.setPurgePreservationLogNum(properties, settings.snapshotEvery() / 10);
    }

    private static TimeDuration millis(long ms) {
        return TimeDuration.valueOf(ms, TimeUnit.MILLISECONDS);
    }
}
