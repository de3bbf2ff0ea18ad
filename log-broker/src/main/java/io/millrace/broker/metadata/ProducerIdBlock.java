package io.millrace.broker.metadata;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Producer ids taken from the controller a block at a time; any thread. */
public final class ProducerIdBlock {
    private static final int REFILL_BELOW = 100;

    private final Supplier<CompletableFuture<Block>> source;
    private final AtomicReference<Range> range = new AtomicReference<>(new Range(0, 0));
    private final AtomicReference<Range> spare = new AtomicReference<>();
    private final AtomicBoolean refilling = new AtomicBoolean();

    /** @param source asks the controller for a block */
    public ProducerIdBlock(Supplier<CompletableFuture<Block>> source) {
        this.source = source;
    }

    /** The next id; empty when none is at hand just now. */
    public OptionalLong next() {
        while (true) {
            Range current = range.get();
            if (current.left() < REFILL_BELOW && spare.get() == null) {
                refill();
            }
            if (current.left() > 0) {
                if (range.compareAndSet(current, new Range(current.next() + 1, current.end()))) {
                    return OptionalLong.of(current.next());
                }
            } else {
                Range fresh = spare.getAndSet(null);
                if (fresh == null) {
                    return OptionalLong.empty();
                }
                range.compareAndSet(current, fresh);
            }
        }
    }

    /** Asks for another block unless that is under way; completes when there are ids again. */
    public CompletableFuture<Void> refill() {
        if (!refilling.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        return source.get().handle((block, failure) -> {
            if (failure == null) {
                spare.set(new Range(block.first(), block.first() + block.count()));
            }
            refilling.set(false);
            return null;
        });
    }

    /** Ids that nobody else gets. */
    public record Block(long first, int count) {}

    private record Range(long next, long end) {
        long left() {
            return end - next;
        }
    }
}
