package io.millrace.broker.peers;

import io.millrace.broker.metadata.Controller;
import io.millrace.broker.metadata.NotController;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.kernel.Host;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Asks the controller, wherever it is just now: on this node without the network. Where it is lost, replaced or not known, the
 * question is asked again until its time is over, so it must be one that may be asked twice. A connection that is silent for
 * all that time is given up: the next question goes over another one.
 */
public final class ControllerLine {
    private static final long AGAIN_MS = 50;

    private final Host world;
    private final Controller controller;
    private final Peers peers;
    private final int self;
    private volatile Local local;

    public ControllerLine(Host world, Controller controller, Peers peers, int self) {
        this.world = world;
        this.controller = controller;
        this.peers = peers;
        this.self = self;
    }

    /** How this node answers where it is the controller itself; to be told before the first question. */
    public void answerHere(Local answers) {
        local = answers;
    }

    /** Asks in the newest version of the API; any thread. */
    public <R extends ApiMessage> CompletableFuture<R> ask(ApiMessage request, Class<R> answer, long patienceMs) {
        return ask(request, ClientProtocol.latestVersion(request), answer, patienceMs);
    }

    /** The same in a version that the caller chose. */
    public <R extends ApiMessage> CompletableFuture<R> ask(
            ApiMessage request, short version, Class<R> answer, long patienceMs) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        attempt(request, version, answer, patienceMs, world.clock().monotonicMs() + patienceMs, reply);
        return reply;
    }

    private <R extends ApiMessage> void attempt(
            ApiMessage request,
            short version,
            Class<R> type,
            long patienceMs,
            long deadlineMs,
            CompletableFuture<R> reply) {
        int asked = controller.leader();
        CompletableFuture<R> attempt =
                once(asked, request, version, type, patienceMs).toCompletableFuture();
        watch(asked, deadlineMs, attempt);
        attempt.whenComplete((answer, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            boolean lost = cause instanceof NotController || cause instanceof PeerUnavailable;
            if (cause == null) {
                reply.complete(answer);
            } else if (lost && world.clock().monotonicMs() + AGAIN_MS < deadlineMs) {
                peers.after(AGAIN_MS, () -> attempt(request, version, type, patienceMs, deadlineMs, reply));
            } else {
                reply.completeExceptionally(cause);
            }
        });
    }

    /** One that fell silent is waited for no longer once there is another controller, or the time is over. */
    private void watch(int asked, long deadlineMs, CompletableFuture<?> attempt) {
        if (asked == self || attempt.isDone()) {
            return;
        }
        peers.after(AGAIN_MS, () -> {
            if (controller.leader() != asked) {
                attempt.completeExceptionally(new PeerUnavailable("node " + asked + " is not the controller any more"));
            } else if (world.clock().monotonicMs() >= deadlineMs) {
                attempt.completeExceptionally(new PeerUnavailable("no answer of the controller, node " + asked));
            } else {
                watch(asked, deadlineMs, attempt);
            }
        });
    }

    private <R extends ApiMessage> CompletionStage<R> once(
            int leader, ApiMessage request, short version, Class<R> type, long patienceMs) {
        if (leader == self) {
            return local.answer(request, version).thenApply(type::cast);
        }
        if (leader < 0) {
            return CompletableFuture.failedFuture(new PeerUnavailable("no controller is known just now"));
        }
        return peers.call(leader, request, version, type, patienceMs);
    }

    /** Answers what is asked of the controller. */
    @FunctionalInterface
    public interface Local {
        CompletionStage<? extends ApiMessage> answer(ApiMessage request, short version);
    }
}
