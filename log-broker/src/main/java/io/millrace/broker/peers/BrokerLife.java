package io.millrace.broker.peers;

import io.millrace.broker.metadata.BrokerImage;
import io.millrace.broker.metadata.ClusterImage;
import io.millrace.broker.metadata.Controller;
import io.millrace.broker.metadata.ControllerTimes;
import io.millrace.broker.metadata.ProducerIdBlock;
import io.millrace.broker.partition.Contact;
import io.millrace.broker.wire.ErrorCode;
import io.millrace.kernel.DiskException;
import io.millrace.kernel.Host;
import io.millrace.kernel.Timers;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker in its cluster: it registers, says again and again that it lives, and asks to be relieved before it stops.
 *
 * <pre>
 * registering --accepted--> fenced     until it has read its own registration, and its shards follow that image
 * fenced      --heartbeat--> serving
 * serving     --silent for too long--> fenced
 * any         --its registration is not known any more--> registering
 * any         --{@link #retire}--> fenced
 * any         --{@link #handOver}--> leaving, until the controller says that nothing is left to hand over
 * </pre>
 */
public final class BrokerLife implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerLife.class);
    private static final long PATIENCE_MS = 3_000;
    private static final int BEATS_A_SESSION = 4; // at the least
    private static final int ATTEMPTS_A_SESSION = 3;
    private static final long SUCCESSION_MS = 200; // from the end of a session until others lead, and a little more
    private static final long SOON_MS = 20;
    private static final long AGAIN_MS = 200;
    private static final String LISTENER = "PLAINTEXT";

    private final Host world;
    private final Controller controller;
    private final ControllerLine line;
    private final Peers peers;
    private final Self self;
    private final LongConsumer registered;
    private final CompletableFuture<Void> known = new CompletableFuture<>();
    private final CompletableFuture<Void> serving = new CompletableFuture<>();
    private final CompletableFuture<Void> relieved = new CompletableFuture<>();
    private volatile long epoch = -1;
    private volatile boolean caughtUp;
    private volatile boolean leaving;
    private volatile boolean retired;
    private volatile boolean closed;
    private volatile long answeredMs;
    private volatile long reachedMs;
    private boolean answered; // the last heartbeat
    private long previousEpoch;
    private Uuid incarnation;
    private Timers.Timer timer = () -> {};

    /** @param registered is told the epoch of each registration, before the broker serves under it */
    public BrokerLife(
            Host world,
            Controller controller,
            ControllerLine line,
            Peers peers,
            Self self,
            long previousEpoch,
            LongConsumer registered) {
        this.world = world;
        this.controller = controller;
        this.line = line;
        this.peers = peers;
        this.self = self;
        this.previousEpoch = previousEpoch;
        this.registered = registered;
    }

    /** Under which this broker is registered, or -1; any thread. */
    public long epoch() {
        return epoch;
    }

    /**
     * What the silence of the controller says; any thread. What may have happened counts from the last heartbeat that was
     * answered, what must have happened from the last that can have arrived: the first unanswered one, for it went over a
     * connection that had worked. Later ones need new connections, and nobody who hears nothing has those.
     */
    public Contact contact() {
        long nowMs = world.clock().monotonicMs();
        if (nowMs - answeredMs <= ControllerTimes.leastSessionMs(self.sessionMs())) {
            return Contact.HELD;
        }
        return nowMs - reachedMs <= self.sessionMs() + SUCCESSION_MS ? Contact.DOUBTFUL : Contact.LOST;
    }

    /** Completes when the metadata here says that this life of the broker is registered; on the metadata loop. */
    public CompletableFuture<Void> known() {
        return known;
    }

    /** Begins; the answer comes when this broker is no longer fenced. */
    public CompletableFuture<Void> start() {
        peers.after(0, this::register);
        return serving;
    }

    private void register() {
        UUID random = world.entropy().uuid();
        incarnation = new Uuid(random.getMostSignificantBits(), random.getLeastSignificantBits());
        BrokerRegistrationRequestData request = new BrokerRegistrationRequestData()
                .setBrokerId(self.id())
                .setClusterId(self.clusterId())
                .setIncarnationId(incarnation)
                .setRack(self.rack().isEmpty() ? null : self.rack())
                .setPreviousBrokerEpoch(previousEpoch);
        request.listeners()
                .add(new BrokerRegistrationRequestData.Listener()
                        .setName(LISTENER)
                        .setHost(self.host())
                        .setPort(self.port()));
        line.ask(request, BrokerRegistrationResponseData.class, PATIENCE_MS)
                .whenComplete((answer, failure) -> peers.after(0, () -> registered(answer, failure)));
    }

    private void registered(BrokerRegistrationResponseData answer, Throwable failure) {
        ErrorCode error = failure == null ? ErrorCode.of(answer.errorCode()) : ErrorCode.UNKNOWN_SERVER_ERROR;
        if (error != ErrorCode.NONE) {
            LOG.info("node {} cannot register yet: {}", self.id(), failure == null ? error : failure.getMessage());
            schedule(AGAIN_MS, this::register);
            return;
        }
        long given = answer.brokerEpoch();
        previousEpoch = given; // also if it cannot be noted: this process has lost nothing since
        try {
            registered.accept(given);
        } catch (DiskException e) {
            LOG.warn("node {} cannot note its registration yet: {}", self.id(), e.getMessage());
            schedule(AGAIN_MS, this::register);
            return;
        }
        answered(world.clock().monotonicMs());
        epoch = given;
        caughtUp = false;
        controller.until(image -> isRegistered(image, given)).thenAccept(image -> {
            known.complete(null);
            peers.after(0, () -> {
                caughtUp = true;
                heartbeat();
            });
        });
    }

    private boolean isRegistered(ClusterImage image, long given) {
        BrokerImage seen = image.broker(self.id());
        return seen != null && seen.epoch() >= given;
    }

    private void heartbeat() {
        if (closed) {
            return;
        }
        timer.cancel();
        timer = () -> {};
        BrokerHeartbeatRequestData request = new BrokerHeartbeatRequestData()
                .setBrokerId(self.id())
                .setBrokerEpoch(epoch)
                .setCurrentMetadataOffset(controller.position())
                .setWantFence(!caughtUp || retired)
                .setWantShutDown(leaving);
        long askedMs = world.clock().monotonicMs();
        if (answered && controller.leader() != self.id()) {
            reachedMs = askedMs;
        }
        answered = false;
        long patienceMs = Math.min(PATIENCE_MS, self.sessionMs() / ATTEMPTS_A_SESSION);
        line.ask(request, BrokerHeartbeatResponseData.class, patienceMs)
                .whenComplete((answer, failure) -> peers.after(0, () -> heard(askedMs, answer, failure)));
    }

    private void heard(long askedMs, BrokerHeartbeatResponseData answer, Throwable failure) {
        if (failure != null) {
            LOG.debug("no answer to a heartbeat: {}", failure.getMessage());
            schedule(AGAIN_MS, this::heartbeat);
            return;
        }
        ErrorCode error = ErrorCode.of(answer.errorCode());
        if (error == ErrorCode.STALE_BROKER_EPOCH || error == ErrorCode.BROKER_ID_NOT_REGISTERED) {
            LOG.warn(
                    "the registration of node {} under epoch {} is not known any more; it registers again",
                    self.id(),
                    epoch);
            register();
            return;
        }
        if (error == ErrorCode.NONE) {
            answered(askedMs);
        }
        if (error == ErrorCode.NONE && !answer.isFenced()) {
            serving.complete(null);
        }
        if (answer.shouldShutDown()) {
            relieved.complete(null);
        }
        boolean soon = leaving || (answer.isFenced() && !retired);
        long rhythmMs = Math.min(self.heartbeatMs(), self.sessionMs() / BEATS_A_SESSION);
        long nextMs = error == ErrorCode.NONE ? rhythmMs : Math.min(rhythmMs, AGAIN_MS);
        schedule(soon ? SOON_MS : nextMs, this::heartbeat);
    }

    private void answered(long askedMs) {
        answeredMs = askedMs;
        reachedMs = askedMs;
        answered = true;
    }

    private void schedule(long delayMs, Runnable task) {
        if (!closed) {
            timer = peers.after(delayMs, task);
        }
    }

    /** Asks the controller to let others lead what this broker leads; the answer comes when they do. */
    public CompletableFuture<Void> handOver() {
        leaving = true;
        peers.after(0, this::heartbeat);
        return relieved;
    }

    /** Has the controller fence this broker for as long as it runs: its disk has failed, and others had better lead. */
    public void retire() {
        if (!retired) {
            retired = true;
            LOG.error(
                    "the disk of node {} has failed; others take over what it leads; repair it and restart the broker",
                    self.id());
            peers.after(0, this::heartbeat);
        }
    }

    /** A block of producer ids from the controller. */
    public CompletableFuture<ProducerIdBlock.Block> takeProducerIds() {
        AllocateProducerIdsRequestData request =
                new AllocateProducerIdsRequestData().setBrokerId(self.id()).setBrokerEpoch(epoch);
        return line.ask(request, AllocateProducerIdsResponseData.class, PATIENCE_MS)
                .thenApply(answer -> {
                    ErrorCode error = ErrorCode.of(answer.errorCode());
                    if (error != ErrorCode.NONE) {
                        throw new IllegalStateException("the controller gives no producer ids: " + error);
                    }
                    return new ProducerIdBlock.Block(answer.producerIdStart(), answer.producerIdLen());
                });
    }

    @Override
    public void close() {
        closed = true;
    }

    /**
     * Who this broker is.
     *
     * @param heartbeatMs how often it says that it lives, unless its session asks for more
     * @param sessionMs how long it may be silent before it is fenced
     */
    public record Self(
            int id, String clusterId, String host, int port, String rack, long heartbeatMs, long sessionMs) {}
}
