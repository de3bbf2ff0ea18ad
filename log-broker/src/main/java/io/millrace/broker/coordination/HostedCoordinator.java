package io.millrace.broker.coordination;

import io.millrace.broker.log.EventRecords;
import io.millrace.broker.partition.HostedMessage;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.Shard;
import io.millrace.broker.partition.ShardMessage;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.Machine;
import io.millrace.kernel.MachineHost;
import io.millrace.kernel.Timers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine on its partition. Everything but {@link #send} runs on the shard's thread.
 *
 * <pre>
 * loading --log committed and replayed--> active --partition gone--> closed
 * loading --log unreadable-->             failed --partition gone--> closed
 * </pre>
 */
public final class HostedCoordinator<C, E, F> {
    private static final Logger LOG = LoggerFactory.getLogger(HostedCoordinator.class);
    private static final long LEAST_DELAY_MS = 10;
    private static final long RETRY_MS = 1_000;
    /** Loading mostly takes less, and less than the pause that a client makes when it is refused. */
    private static final long HOLD_MS = 250;

    private final MachineKind<C, E, F> kind;
    private final Partition partition;
    private final Shard shard;
    private final Loop<ShardMessage> loop;
    private final Host world;
    private final Machine<C, E, F> machine;
    private final MachineHost<C, E, F> host;
    private final Map<Long, CompletableFuture<?>> unanswered = new LinkedHashMap<>();
    private final List<C> held = new ArrayList<>();
    private final CoordinatorTime time;
    private long questions;
    private State state = State.LOADING;
    private boolean holding;
    private Timers.Timer timer = () -> {};
    private long timerAtMs = Long.MAX_VALUE;

    HostedCoordinator(MachineKind<C, E, F> kind, Partition partition, Shard shard, Host world) {
        this.kind = kind;
        this.partition = partition;
        this.shard = shard;
        this.loop = shard.loop();
        this.world = world;
        this.time = new CoordinatorTime(world.clock());
        this.machine = kind.machines().create(partition.name());
        this.host = new MachineHost<>(
                machine, kind.codec(), this::append, effect -> kind.effects().perform(effect, this), kind.refuse());
    }

    /** The epoch under which this coordinator was chosen: what it decides outranks what older ones did. */
    public int epoch() {
        return partition.leaderEpoch();
    }

    /** Sends a command; any thread. @return false when the shard's queue is over its capacity */
    public boolean send(C command) {
        return loop.submit(new Command<>(this, command));
    }

    /** Sends a command whose reply fails when this coordinator is closed before it has answered; any thread. */
    void ask(C command, CompletableFuture<?> reply) {
        loop.submit(new Question<>(this, command, reply));
    }

    private void expect(CompletableFuture<?> reply) {
        long number = questions++;
        unanswered.put(number, reply);
        reply.whenComplete((answer, failure) -> unanswered.remove(number));
    }

    /** Runs a task on the shard after a while, unless the coordinator is gone by then; any thread. */
    public void later(long delayMs, Runnable task) {
        world.timers().after(delayMs, loop, new Task(this, task));
    }

    /**
     * Begins: what is in the log has to be committed under this leader before it can be replayed. What is asked meanwhile
     * is held for a moment, and refused if that is not enough.
     */
    void load() {
        holding = true;
        world.timers().after(HOLD_MS, loop, new HeldForLong(this));
        partition.onCommitted(this::committed);
    }

    private void committed(long upTo) {
        if (state == State.LOADING) {
            replay();
        }
        if (state == State.ACTIVE) {
            host.committed(upTo);
        }
    }

    private void replay() {
        try {
            time.notBefore(EventRecords.replay(partition.view(), host::replay));
        } catch (DiskException | IllegalArgumentException e) {
            LOG.error("{} cannot be read, so nothing can be coordinated by it: {}", partition.name(), e.getMessage());
            state = State.FAILED;
            releaseHeld();
            return;
        }
        state = State.ACTIVE;
        if (kind.loaded() != null) {
            handle(kind.loaded());
        }
        releaseHeld();
    }

    private void releaseHeld() {
        holding = false;
        List<C> all = List.copyOf(held);
        held.clear();
        all.forEach(this::handle);
    }

    void close() {
        state = State.CLOSED;
        timer.cancel();
        releaseHeld();
        giveUpWaits();
    }

    /** Whether what was asked has taken effect, the next coordinator knows. */
    void giveUpWaits() {
        // completing them removes them from the map
        List.copyOf(unanswered.values()).forEach(reply -> reply.completeExceptionally(gone()));
    }

    private CoordinatorUnavailable gone() {
        return new CoordinatorUnavailable(ErrorCode.NOT_COORDINATOR, partition.name() + " is not here any more");
    }

    private void handle(C command) {
        if (isHere() && partition.leadsInNameAlone()) {
            refuse(command, ErrorCode.NOT_COORDINATOR, "is most likely somewhere else by now");
            return;
        }
        switch (state) {
            case LOADING -> {
                if (holding) {
                    held.add(command);
                } else {
                    refuse(command, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "is still being loaded");
                }
            }
            case FAILED -> refuse(command, ErrorCode.COORDINATOR_NOT_AVAILABLE, "cannot be read");
            case CLOSED -> refuse(command, ErrorCode.NOT_COORDINATOR, "is not here any more");
            case ACTIVE -> {
                host.command(command, time.nowMs());
                setTimer(LEAST_DELAY_MS);
            }
        }
    }

    private boolean isHere() {
        return state == State.LOADING || state == State.ACTIVE;
    }

    private void refuse(C command, ErrorCode code, String why) {
        kind.refuse().accept(command, new CoordinatorUnavailable(code, partition.name() + " " + why));
    }

    private void timeHasCome() {
        timerAtMs = Long.MAX_VALUE;
        if (state != State.ACTIVE) {
            return;
        }
        try {
            host.onTime(time.nowMs());
            setTimer(LEAST_DELAY_MS);
        } catch (DiskException e) {
            LOG.warn("{}: what is due is done later: {}", partition.name(), e.getMessage());
            setTimer(RETRY_MS);
        }
    }

    /** @param leastDelayMs keeps what cannot be done just now from being tried again and again without a pause */
    private void setTimer(long leastDelayMs) {
        long deadlineMs = machine.nextDeadlineMs();
        if (deadlineMs < timerAtMs) {
            timer.cancel();
            timerAtMs = deadlineMs;
            long delayMs = Math.max(leastDelayMs, deadlineMs - time.nowMs());
            timer = world.timers().after(delayMs, loop, new TimeHasCome(this));
        }
    }

    private long append(List<EventCodec.Entry> entries) {
        shard.touched(partition);
        return partition.appendEvents(EventRecords.batch(entries, time.nowMs()));
    }

    private enum State {
        LOADING,
        ACTIVE,
        FAILED,
        CLOSED
    }

    private record Command<C>(HostedCoordinator<C, ?, ?> coordinator, C command) implements HostedMessage {
        @Override
        public void deliver(Shard onShard) {
            coordinator.handle(command);
        }
    }

    private record Question<C>(HostedCoordinator<C, ?, ?> coordinator, C command, CompletableFuture<?> reply)
            implements HostedMessage {
        @Override
        public void deliver(Shard onShard) {
            coordinator.expect(reply);
            coordinator.handle(command);
        }
    }

    private record Task(HostedCoordinator<?, ?, ?> coordinator, Runnable task) implements HostedMessage {
        @Override
        public void deliver(Shard onShard) {
            if (coordinator.state == State.ACTIVE) {
                task.run();
            }
        }
    }

    private record HeldForLong(HostedCoordinator<?, ?, ?> coordinator) implements HostedMessage {
        @Override
        public void deliver(Shard onShard) {
            coordinator.releaseHeld();
        }
    }

    private record TimeHasCome(HostedCoordinator<?, ?, ?> coordinator) implements HostedMessage {
        @Override
        public void deliver(Shard onShard) {
            coordinator.timeHasCome();
        }
    }
}
