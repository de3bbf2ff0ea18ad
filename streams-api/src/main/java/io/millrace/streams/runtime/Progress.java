package io.millrace.streams.runtime;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Help.Ansi;

/** Says how a job is doing: one line that is written over on a terminal, a new line now and then elsewhere. */
public final class Progress implements AutoCloseable {
    private static final Duration ON_TERMINAL = Duration.ofMillis(500);
    private static final Duration IN_LOG = Duration.ofSeconds(10);

    private static final String CLEAR = "\r\u001b[2K";

    private final RunningJob job;
    private final PrintWriter out;
    private final boolean terminal;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "progress");
    private long processedBefore;
    private long atMs = SystemTime.monotonicMs();

    private Progress(RunningJob job, PrintWriter out, boolean terminal) {
        this.job = job;
        this.out = out;
        this.terminal = terminal;
    }

    public static Progress of(RunningJob job, PrintWriter out) {
        Progress progress = new Progress(job, out, Ansi.AUTO.enabled());
        progress.thread.setDaemon(true);
        progress.thread.start();
        return progress;
    }

    private void run() {
        Duration every = terminal ? ON_TERMINAL : IN_LOG;
        try {
            while (!closed.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    print(line(job.status()));
                } catch (KafkaException e) {
                    print("%s: the cluster does not answer: %s".formatted(name(), e.getMessage()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String line(JobStatus status) {
        long nowMs = SystemTime.monotonicMs();
        long processed = status.counts().processed();
        double rate = (processed - processedBefore) * 1000.0 / Math.max(1, nowMs - atMs);
        processedBefore = processed;
        atMs = nowMs;
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %,.0f records/s, lag %,d records %.1f s",
                name(),
                rate,
                status.lagRecords(),
                status.lagSeconds()));
        if (status.counts().deadLetters() > 0) {
            line.append(String.format(
                    Locale.ROOT, ", %,d dead letters", status.counts().deadLetters()));
        }
        if (status.droppedRecords() > 0) {
            line.append(", dropped ").append(status.dropped());
        }
        status.notes().stream()
                .filter(note -> !note.equals("running"))
                .distinct()
                .forEach(note -> line.append(", ").append(note));
        return line.toString();
    }

    private String name() {
        return job.plan().job().name();
    }

    /** A line that stays, between those that come and go. */
    public void say(String line) {
        out.println(terminal ? CLEAR + line : line);
        out.flush();
    }

    private void print(String line) {
        if (terminal) {
            out.print(CLEAR + line);
        } else {
            out.println(line);
        }
        out.flush();
    }

    @Override
    public void close() {
        closed.countDown();
        if (terminal) {
            out.print(CLEAR);
            out.flush();
        }
    }
}
