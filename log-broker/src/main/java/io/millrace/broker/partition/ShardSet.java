package io.millrace.broker.partition;

import io.millrace.broker.metadata.ClusterImage;
import io.millrace.kernel.Loop;
import io.millrace.kernel.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** All shards of a broker. */
public final class ShardSet implements AutoCloseable {
    private final List<Shard> shards = new ArrayList<>();
    private final ShardContext context;

    public ShardSet(ShardContext context) {
        this.context = context;
        for (int index = 0; index < context.shards(); index++) {
            shards.add(new Shard(index, context));
        }
    }

    /** Tells every shard of a new image. */
    public void announce(ClusterImage image) {
        shards.forEach(shard -> shard.loop().submit(new ImageChanged(image)));
    }

    /** The same; the answer comes when all of them follow it. */
    public CompletableFuture<Void> follow(ClusterImage image) {
        announce(image);
        return reached();
    }

    /** Completes when every shard has handled all that was submitted so far. */
    public CompletableFuture<Void> reached() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Shard shard : shards) {
            CompletableFuture<Void> one = new CompletableFuture<>();
            shard.loop().submit(new ShardMessage.Barrier(() -> one.complete(null)));
            all.add(one);
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Sends every shard a message again and again. */
    public Timers.Timer repeat(long everyMs, ShardMessage message) {
        return repeat(everyMs, () -> shards.forEach(shard -> shard.loop().submit(message)));
    }

    /** Runs a task again and again, on the thread of some shard. */
    public Timers.Timer repeat(long everyMs, Runnable task) {
        Repeating repeating = new Repeating(everyMs, task);
        repeating.schedule();
        return repeating;
    }

    /** A timer for a shard's loop that is not about any partition. */
    public Loop<ShardMessage> anyLoop() {
        return shards.get(0).loop();
    }

    /** Closes every partition; the answer is whether the next start needs no recovery. */
    public CompletableFuture<Boolean> stop() {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (Shard shard : shards) {
            CompletableFuture<Boolean> one = new CompletableFuture<>();
            shard.loop().submit(new ShardMessage.Barrier(() -> {
                try {
                    one.complete(shard.stop());
                } catch (RuntimeException e) {
                    one.completeExceptionally(e); // who waits for the stop must hear of it
                }
            }));
            all.add(one);
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(stopped -> all.stream().allMatch(CompletableFuture::join));
    }

    /** Ends the shards, once they have {@link #stop stopped}. */
    @Override
    public void close() {
        shards.forEach(shard -> shard.loop().close());
    }

    private final class Repeating implements Timers.Timer {
        private final long everyMs;
        private final Runnable task;
        private volatile boolean cancelled;

        Repeating(long everyMs, Runnable task) {
            this.everyMs = everyMs;
            this.task = task;
        }

        void schedule() {
            context.host().timers().after(everyMs, anyLoop(), new ShardMessage.Barrier(() -> {
                if (!cancelled) {
                    task.run();
                    schedule();
                }
            }));
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
