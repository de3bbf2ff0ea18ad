package io.millrace.broker.api;

import io.millrace.broker.metadata.PartitionImage;
import io.millrace.broker.partition.FetchWaits;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.ReplicaFetched;
import io.millrace.broker.partition.ShardMessage;
import io.millrace.broker.partition.WakeReader;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.settings.BrokerSettings;
import io.millrace.kernel.Loop;
import io.millrace.kernel.Timers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchRequestData;

/**
 * A fetch on its way: it reads, and as long as there is too little and time is left, it waits for its partitions to
 * have more and reads again. Runs on the connection's I/O thread.
 */
final class PendingFetch {
    private final ApiContext context;
    private final RequestContext request;
    private final FetchRequestData body;
    private final FetchReader reader;
    private final List<FetchWanted> wanted;
    private final CompletableFuture<List<FetchRead.Part>> done = new CompletableFuture<>();
    private final long deadlineMs;
    private final int maxBytes;

    PendingFetch(ApiContext context, RequestContext request, FetchRequestData body, List<FetchWanted> wanted) {
        this.context = context;
        this.request = request;
        this.body = body;
        this.reader = FetchReader.of(body, request.version());
        this.wanted = wanted;
        this.deadlineMs = now() + body.maxWaitMs();
        this.maxBytes = Math.min(body.maxBytes(), context.settings().number(BrokerSettings.FETCH_MAX_BYTES));
    }

    private long now() {
        return context.host().clock().monotonicMs();
    }

    CompletableFuture<List<FetchRead.Part>> start() {
        if (reader.isReplica()) {
            tellProgress();
        }
        read();
        return done;
    }

    /** A follower has what is below the offsets it asks for. */
    private void tellProgress() {
        Map<Loop<ShardMessage>, List<ReplicaFetched.Progress>> byShard = new LinkedHashMap<>();
        for (FetchWanted one : wanted) {
            PartitionRegistry.Place place = context.partitions().find(one.partition());
            if (place != null) {
                byShard.computeIfAbsent(place.shard(), shard -> new ArrayList<>())
                        .add(new ReplicaFetched.Progress(
                                new TopicIdPartition(one.topicId(), one.partition()),
                                one.request().currentLeaderEpoch(),
                                one.request().lastFetchedEpoch(),
                                one.request().fetchOffset()));
            }
        }
        byShard.forEach((shard, progress) ->
                shard.handOver(new ReplicaFetched(reader.replica(), reader.brokerEpoch(), progress)));
    }

    private void read() {
        FetchRead read = new FetchRead(context, reader, maxBytes);
        wanted.forEach(read::read);
        boolean enough = read.sizeBytes() >= body.minBytes() || read.urgent() || wanted.isEmpty();
        long leftMs = deadlineMs - now();
        if (enough || leftMs <= 0) {
            finish(read);
            return;
        }
        read.release();
        await(read.waits(), Math.min(leftMs, read.throttledMs()));
    }

    private void finish(FetchRead read) {
        if (read.throttledBytes() > 0) {
            context.leaderThrottle().copied(read.throttledBytes());
        }
        if (read.unproven().isEmpty()) {
            done.complete(read.parts());
            return;
        }
        context.coldReads().run(() -> {
            read.unproven().forEach(UnprovenRead::readThrough);
            request.connection().execute(() -> {
                read.unproven().forEach(one -> one.settle(copies(one)));
                done.complete(read.parts());
            });
        });
    }

    private int copies(UnprovenRead read) {
        TopicPartition name = read.place().partition().name();
        PartitionImage known = context.image().partition(name.topic(), name.partition());
        return known == null ? 1 : known.replicas().size();
    }

    private void await(List<FetchWaits.Wait> waits, long atMostMs) {
        Waiting waiting = new Waiting();
        Map<Loop<ShardMessage>, List<FetchWaits.Wait>> byShard = new LinkedHashMap<>();
        for (FetchWaits.Wait wait : waits) {
            PartitionRegistry.Place place = context.partitions().find(wait.partition());
            if (place == null) {
                waiting.wake(); // it has gone since it was read: the next read says so
                return;
            }
            byShard.computeIfAbsent(place.shard(), shard -> new ArrayList<>()).add(wait);
        }
        waiting.timer = context.host().timers().after(atMostMs, context.shards().anyLoop(), new WakeReader(waiting));
        byShard.forEach((shard, some) -> shard.handOver(new FetchWaits(some, waiting)));
    }

    private final class Waiting implements FetchWaits.Reader {
        private final AtomicBoolean woken = new AtomicBoolean();
        private volatile Timers.Timer timer = () -> {};

        @Override
        public void wake() {
            if (woken.compareAndSet(false, true)) {
                timer.cancel();
                request.connection().execute(PendingFetch.this::read);
            }
        }

        @Override
        public boolean gone() {
            return woken.get();
        }

        @Override
        public Object owner() {
            return request.memory();
        }
    }
}
