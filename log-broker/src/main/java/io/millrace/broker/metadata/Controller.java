package io.millrace.broker.metadata;

import io.millrace.kernel.EventCodec;
import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.MachineHost;
import io.millrace.kernel.Timers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in the metadata: follows what the quorum has committed and publishes an image of each state, before
 * anybody hears the answer that it stands for. While the node leads the quorum it is the controller of the cluster, too:
 * a machine decides on commands, and what it decides is proposed.
 *
 * <pre>
 * following --the quorum says that this node leads--> leading   a machine is made from the committed state
 * leading   --another leader, or none-->             following  the machine is thrown away, its commands are refused
 * </pre>
 */
public final class Controller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final int QUEUE = 1024;

    private final Loop<Runnable> loop;
    private final Host world;
    private final MetadataQuorum quorum;
    private final Function<MetadataState, ControllerMachine> machines;
    private final MetadataCodec codec = new MetadataCodec();
    private final List<Consumer<ClusterImage>> listeners = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private MetadataState committed;
    private Term leading;
    private Runnable onLeading = () -> {};
    private volatile ClusterImage image;
    private volatile int leader = -1;
    private volatile long position = -1;

    private Controller(
            Host world,
            String clusterId,
            Function<MetadataState, ControllerMachine> machines,
            Function<Loop<Runnable>, MetadataQuorum> quorums) {
        this.world = world;
        this.machines = machines;
        this.committed = MetadataState.empty(clusterId);
        this.image = committed.image();
        this.loop = world.loops().start("millrace-metadata", QUEUE, new Loop.Handler<>() {
            @Override
            public void handle(Runnable task) {
                task.run();
            }

            @Override
            public void batchEnd() {
                quorum().batchEnd();
            }
        });
        this.quorum = quorums.apply(loop);
    }

    private MetadataQuorum quorum() {
        return quorum;
    }

    /**
     * Starts to follow the quorum.
     *
     * @param machines makes the machine of a controller from the state that it begins with
     * @param quorums makes the quorum, which runs what it has to tell on the loop given
     */
    public static Controller start(
            Host world,
            String clusterId,
            Function<MetadataState, ControllerMachine> machines,
            Function<Loop<Runnable>, MetadataQuorum> quorums) {
        Controller controller = new Controller(world, clusterId, machines, quorums);
        controller.loop.submit(() -> controller.quorum.start(controller.new Follower()));
        return controller;
    }

    /** The committed state of this moment; any thread. */
    public ClusterImage image() {
        return image;
    }

    /** The position in the metadata log that {@link #image} stands for, or -1 before the first; any thread. */
    public long position() {
        return position;
    }

    /** The node that is the controller as far as this one knows, or -1; any thread. */
    public int leader() {
        return leader;
    }

    /** Any thread. */
    public MetadataQuorum.Description quorumDescription() {
        return quorum.describe();
    }

    /** Hears of this image and every later one, on the metadata loop; before anybody hears the answer that it stands for. */
    public void follow(Consumer<ClusterImage> listener) {
        loop.submit(() -> {
            listeners.add(listener);
            listener.accept(image);
        });
    }

    /** What to do each time this node becomes the controller, on the metadata loop. */
    public void onLeading(Runnable task) {
        loop.submit(() -> {
            onLeading = task;
            if (leading != null) {
                task.run();
            }
        });
    }

    /** Completes once an image is such; any thread. It completes on the metadata loop, after the listeners have heard. */
    public CompletableFuture<ClusterImage> until(Predicate<ClusterImage> such) {
        CompletableFuture<ClusterImage> reached = new CompletableFuture<>();
        loop.submit(() -> {
            if (such.test(image)) {
                reached.complete(image);
            } else {
                waiting.add(new Waiting(such, reached));
            }
        });
        return reached;
    }

    /**
     * Sends a command made for a fresh reply; any thread. The reply fails with {@link NotController} where this node is
     * not the controller, or ceases to be before it is known whether the command took effect; also where it may have been
     * replaced without its knowing: not every answer waits until the voters have agreed to something.
     */
    public <R> CompletableFuture<R> ask(Function<CompletableFuture<R>, ControllerCommand> command) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        loop.submit(() -> {
            if (leading == null || !quorum.holdsMajority()) {
                reply.completeExceptionally(new NotController(leader));
            } else {
                leading.command(command.apply(reply));
            }
        });
        return reply;
    }

    /** The process of the controller is dead, as this node has found out; any thread. */
    public void died(int node) {
        loop.submit(() -> quorum.leaderDied(node));
    }

    /** If this node is the controller, has another one be it, where one can; any thread. */
    public CompletableFuture<Void> resign() {
        return quorum.resign();
    }

    /** Runs a task on the metadata loop. */
    public void execute(Runnable task) {
        loop.submit(task);
    }

    private void publish(long upTo) {
        position = upTo;
        ClusterImage now = committed.image();
        if (isNew(now)) {
            image = now;
            listeners.forEach(listener -> listener.accept(now));
            waiting.removeIf(one -> {
                boolean reached = one.such.test(now);
                if (reached) {
                    one.reached.complete(now);
                }
                return reached;
            });
        }
    }

    private record Waiting(Predicate<ClusterImage> such, CompletableFuture<ClusterImage> reached) {}

    @SuppressWarnings("ReferenceEquality") // every change makes a new image, and comparing contents would cost more
    private boolean isNew(ClusterImage now) {
        return now != image;
    }

    private void stopLeading() {
        if (leading != null) {
            LOG.info("no longer the controller (term {})", leading.term);
            leading.end();
            leading = null;
        }
    }

    @Override
    public void close() {
        loop.close();
        quorum.close();
    }

    /** Follows the quorum; on the metadata loop. */
    private final class Follower implements MetadataQuorum.Listener {
        @Override
        public void snapshot(long upTo, List<EventCodec.Entry> records) {
            stopLeading();
            committed = MetadataState.empty(committed.image().clusterId());
            apply(records);
            publish(upTo);
        }

        @Override
        public void committed(long upTo, MetadataQuorum.Origin origin, List<EventCodec.Entry> records) {
            apply(records);
            publish(upTo);
            if (leading != null && leading.term == origin.term()) {
                leading.committed(origin.number());
            }
        }

        private void apply(List<EventCodec.Entry> records) {
            committed = committed.with(records.stream().map(codec::decode).toList());
        }

        @Override
        public void leader(int node, long term) {
            leader = node;
            if (leading != null && leading.term != term) {
                stopLeading();
            }
        }

        @Override
        public void leading(long term) {
            stopLeading();
            leading = new Term(term, machines.apply(committed));
            LOG.info("the controller from now on (term {})", term);
            leading.wakeUp();
            onLeading.run();
        }
    }

    /** The time in which this node is the controller; on the metadata loop. */
    private final class Term {
        private final long term;
        private final ControllerMachine machine;
        private final MachineHost<ControllerCommand, MetadataEvent, Runnable> host;
        private final Map<Long, CompletableFuture<?>> unanswered = new LinkedHashMap<>();
        private long commands;
        private long proposals;
        private boolean ended;
        private Timers.Timer timer = () -> {};
        private long timerAtMs = Long.MAX_VALUE;

        Term(long term, ControllerMachine machine) {
            this.term = term;
            this.machine = machine;
            this.host = new MachineHost<>(
                    machine,
                    codec,
                    this::propose,
                    Runnable::run,
                    (command, cause) -> command.reply().completeExceptionally(cause));
        }

        private long propose(List<EventCodec.Entry> records) {
            quorum.propose(term, proposals + 1, records);
            proposals++;
            return proposals;
        }

        void command(ControllerCommand command) {
            CompletableFuture<?> reply = command.reply();
            long number = commands++;
            unanswered.put(number, reply);
            reply.whenComplete((answer, failure) -> unanswered.remove(number));
            host.command(command, world.clock().monotonicMs());
            setTimer();
        }

        void committed(long number) {
            host.committed(number);
        }

        void wakeUp() {
            timerAtMs = Long.MAX_VALUE;
            if (!ended) {
                host.onTime(world.clock().monotonicMs());
                setTimer();
            }
        }

        private void setTimer() {
            long deadlineMs = machine.nextDeadlineMs();
            if (deadlineMs < timerAtMs) {
                timer.cancel();
                timerAtMs = deadlineMs;
                long delayMs = Math.max(1, deadlineMs - world.clock().monotonicMs());
                timer = world.timers().after(delayMs, loop, this::wakeUp);
            }
        }

        void end() {
            ended = true;
            timer.cancel();
            // completing them removes them from the map
            List.copyOf(unanswered.values()).forEach(reply -> reply.completeExceptionally(new NotController(leader)));
        }
    }
}
