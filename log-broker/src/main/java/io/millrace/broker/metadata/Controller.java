package io.millrace.broker.metadata;

import io.millrace.kernel.Host;
import io.millrace.kernel.Loop;
import io.millrace.kernel.MachineHost;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The controller on its loop: takes commands, records what is decided in the quorum's log, and publishes an image of
 * each committed state before the command is answered.
 */
public final class Controller implements AutoCloseable {
    private static final int QUEUE = 1024;

    private final Loop<Runnable> loop;
    private final ControllerMachine machine;
    private final MachineHost<ControllerCommand, MetadataEvent, Runnable> host;
    private final MetadataQuorum quorum;
    private final Host world;
    private final List<Consumer<ClusterImage>> listeners = new CopyOnWriteArrayList<>();
    private volatile ClusterImage image;

    private Controller(Host world, ControllerMachine machine, MetadataQuorum quorum) {
        this.world = world;
        this.machine = machine;
        this.quorum = quorum;
        this.host = new MachineHost<>(
                machine,
                new MetadataCodec(),
                quorum::append,
                Runnable::run,
                (command, cause) -> command.reply().completeExceptionally(cause));
        this.loop = world.loops().start("millrace-metadata", QUEUE, new Loop.Handler<>() {
            @Override
            public void handle(Runnable task) {
                task.run();
            }

            @Override
            public void batchEnd() {
                quorum.batchEnd();
            }
        });
    }

    /** Replays the log and starts the loop. */
    public static Controller start(Host world, ControllerMachine machine, MetadataQuorum quorum) {
        Controller controller = new Controller(world, machine, quorum);
        quorum.replay(controller.host::replay);
        quorum.onProgress(controller::committed);
        controller.image = machine.image();
        return controller;
    }

    /** The committed state of this moment; any thread. */
    public ClusterImage image() {
        return image;
    }

    /** Hears of every new image, on the metadata loop; before anybody hears the answer that it stands for. */
    public void onImage(Consumer<ClusterImage> listener) {
        listeners.add(listener);
    }

    /** Sends a command made for a fresh reply; any thread. */
    public <R> CompletableFuture<R> ask(Function<CompletableFuture<R>, ControllerCommand> command) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        loop.submit(() -> host.command(command.apply(reply), world.clock().wallMs()));
        return reply;
    }

    @SuppressWarnings("ReferenceEquality") // every change makes a new image, and comparing contents would cost more
    private void committed(long upTo) {
        ClusterImage now = machine.image();
        if (now != image) {
            image = now;
            listeners.forEach(listener -> listener.accept(now));
        }
        host.committed(upTo);
    }

    @Override
    public void close() {
        loop.close();
        quorum.close();
    }
}
