package io.millrace.broker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/** Runs tasks on the one thread that waits for what they lead to. */
final class WaitingThread implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Returns when it is done; an interrupt is kept for later, as half a stop helps nobody. */
    void await(CompletableFuture<Void> done) throws ExecutionException, InterruptedException {
        done.whenComplete((nothing, failure) -> execute(() -> {}));
        boolean interrupted = false;
        while (!done.isDone()) {
            try {
                tasks.take().run();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        done.get();
    }
}
