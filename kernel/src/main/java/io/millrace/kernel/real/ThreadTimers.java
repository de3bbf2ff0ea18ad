package io.millrace.kernel.real;

import io.millrace.kernel.Loop;
import io.millrace.kernel.Timers;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One thread that submits messages when their time has come. */
final class ThreadTimers implements Timers, AutoCloseable {
    private final ScheduledThreadPoolExecutor scheduler;

    ThreadTimers() {
        scheduler = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "millrace-timers");
            thread.setDaemon(true);
            return thread;
        });
        scheduler.setRemoveOnCancelPolicy(true);
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public <M> Timer after(long delayMs, Loop<M> loop, M message) {
        if (scheduler.isShutdown()) {
            return () -> {};
        }
        Future<?> task = scheduler.schedule(() -> loop.submit(message), Math.max(0, delayMs), TimeUnit.MILLISECONDS);
        return () -> task.cancel(false);
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
