package io.millrace.streams.runtime;

import io.millrace.streams.Guarantee;
import io.millrace.streams.Job;
import io.millrace.streams.plan.Plan;
import io.millrace.streams.plan.Stage;
import io.millrace.streams.state.StateMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job at work. All methods may be called from any thread. */
public final class RunningJob implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunningJob.class);
    private static final long STATE_MEMORY_BYTES = 128L << 20;

    private final Workspace workspace;
    private final Lag lag;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean stopping;
    private boolean closed;

    /** Checks and creates topics, then starts the workers. Fails if the job cannot run; nothing is running then. */
    static RunningJob start(Job job, JobSettings settings) {
        Plan plan = Plan.of(job);
        Clients clients = new Clients(settings);
        Admin admin = clients.admin();
        try {
            TopicCatalog topics = new TopicPreparation(admin, plan).prepare();
            StateDirectory stateDir = StateDirectory.open(settings.stateDir());
            return new RunningJob(new Workspace(
                    plan,
                    settings,
                    clients,
                    admin,
                    topics,
                    stateDir,
                    new StateMemory(STATE_MEMORY_BYTES, stateDir.libraries()),
                    new JobCounters()));
        } catch (KafkaException e) {
            admin.close();
            throw new JobStoppedException(
                    "job %s cannot start on the cluster at %s: %s"
                            .formatted(job.name(), settings.bootstrap(), e.getMessage()),
                    e);
        } catch (RuntimeException e) {
            admin.close();
            throw e;
        }
    }

    private RunningJob(Workspace workspace) {
        this.workspace = workspace;
        this.lag = new Lag(workspace.admin(), workspace.plan(), workspace.topics());
        for (int number = 0; number < workspace.settings().workers(); number++) {
            if (!workspace.plan().logStages().isEmpty()) {
                launch("worker-" + number, logWorker(workspace.stateDir().instanceId("worker-" + number)));
            }
            for (Stage.OfSink stage : workspace.plan().sinkStages()) {
                String name = "sink-%s-%d".formatted(stage.name(), number);
                launch(name, sinkWorker(stage, workspace.stateDir().instanceId(name)));
            }
        }
    }

    private Worker logWorker(String instanceId) {
        Plan plan = workspace.plan();
        Clients clients = workspace.clients();
        List<String> topics = plan.logStages().stream().map(Stage::name).toList();
        LogWorker.Sessions sessions = ownership -> {
            SlotHolder slots = new SlotHolder();
            Outlet outlet = plan.job().guarantee() == Guarantee.EXACTLY_ONCE
                    ? new TransactionalOutlet(slot -> clients.transactional(plan.slotPrefix() + slot), () -> stopping)
                    : new PlainOutlet(clients.plain());
            return new KafkaLogSession(
                    clients.member(plan.job().name(), instanceId, slots),
                    outlet,
                    slots,
                    new OrphanedSlots(workspace.admin(), plan.slotPrefix()),
                    topics,
                    ownership);
        };
        return new LogWorker(workspace, sessions, () -> stopping);
    }

    private Worker sinkWorker(Stage.OfSink stage, String instanceId) {
        return new SinkWorker<>(
                workspace,
                stage,
                () -> workspace.clients().member(stage.group(), instanceId, new SlotHolder()),
                () -> stopping);
    }

    private void launch(String name, Worker worker) {
        Thread thread = new Thread(
                () -> {
                    try {
                        worker.run();
                    } catch (Throwable e) { // whatever it is, the job must not go on without this worker unnoticed
                        fail(name, e);
                    }
                },
                workspace.plan().job().name() + "-" + name);
        workers.add(worker);
        threads.add(thread);
        thread.start();
    }

    private void fail(String worker, Throwable error) {
        LOG.error(
                "{} of job {} stops the job: {}", worker, workspace.plan().job().name(), error.getMessage(), error);
        failure.compareAndSet(null, error);
        stopping = true;
    }

    public Plan plan() {
        return workspace.plan();
    }

    /** Null as long as nothing stopped the job. */
    public Throwable failure() {
        return failure.get();
    }

    public synchronized JobStatus status() {
        return status(lag.read());
    }

    private JobStatus status(Lag.Reading reading) {
        JobCounters counters = workspace.counters();
        JobStatus.State state = failure.get() != null
                ? JobStatus.State.FAILED
                : stopping ? JobStatus.State.STOPPED : JobStatus.State.RUNNING;
        JobStatus.Counts counts = new JobStatus.Counts(
                counters.processed.sum(),
                counters.written.sum(),
                counters.deadLetters.sum(),
                counters.restored.sum(),
                counters.commits.sum(),
                counters.aborts.sum());
        return new JobStatus(
                state,
                reading.stages(),
                counts,
                counters.dropped(),
                workers.stream().map(Worker::note).toList());
    }

    /**
     * Waits until every stage has committed all that its topic held, as long as nobody else goes on writing.
     *
     * @throws JobStoppedException if the job stops before, or the time is up
     */
    public void awaitCaughtUp(Duration timeout) {
        long untilMs = SystemTime.monotonicMs() + timeout.toMillis();
        Lag.Reading before = null;
        while (true) {
            if (failure.get() != null) {
                throw new JobStoppedException(
                        "job %s stopped: %s"
                                .formatted(plan().job().name(), failure.get().getMessage()),
                        failure.get());
            }
            Lag.Reading now = read();
            // twice in a row with equal ends: what an earlier stage still had to write has been written and read
            if (now.isZero()
                    && before != null
                    && before.isZero()
                    && before.ends().equals(now.ends())) {
                return;
            }
            if (SystemTime.monotonicMs() > untilMs) {
                throw new JobStoppedException("job %s has not caught up within %s: %s"
                        .formatted(plan().job().name(), timeout, status(now)));
            }
            before = now;
            SystemTime.pause(Duration.ofMillis(50));
        }
    }

    private synchronized Lag.Reading read() {
        return lag.read();
    }

    /** Waits until the job has been stopped, or has stopped by itself. */
    public void awaitStopped() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Commits, leaves the group, closes. Returns when all threads have ended. */
    @Override
    public void close() {
        stopping = true;
        try {
            awaitStopped();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (!closed) {
                closed = true;
                workspace.admin().close(Duration.ofSeconds(1));
                workspace.memory().close();
                workspace.stateDir().close();
            }
        }
    }
}
