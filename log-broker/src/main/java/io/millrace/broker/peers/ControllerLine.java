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
        long deadlineMs = world.clock().monotonicMs() + patienceMs;
        Question<R> question =
                new Question<>(request, version, answer, patienceMs, deadlineMs, new CompletableFuture<>());
        attempt(question);
        return question.reply;
    }

    private <R extends ApiMessage> void attempt(Question<R> question) {
        int asked = controller.leader();
        CompletableFuture<R> attempt = once(asked, question).toCompletableFuture();
        watch(asked, question.deadlineMs, attempt);
        attempt.whenComplete((answer, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            boolean lost = cause instanceof NotController || cause instanceof PeerUnavailable;
            if (cause == null) {
                question.reply.complete(answer);
            } else if (lost && world.clock().monotonicMs() + AGAIN_MS < question.deadlineMs) {
                peers.after(AGAIN_MS, () -> attempt(question));
            } else {
                question.reply.completeExceptionally(cause);
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

    private <R extends ApiMessage> CompletionStage<R> once(int leader, Question<R> question) {
        if (leader == self) {
            return local.answer(question.request, question.version).thenApply(question.type::cast);
        }
        if (leader < 0) {
            return CompletableFuture.failedFuture(new PeerUnavailable("no controller is known just now"));
        }
        return peers.call(leader, question.request, question.version, question.type, question.patienceMs);
    }

    private record Question<R extends ApiMessage>(
            ApiMessage request,
            short version,
            Class<R> type,
            long patienceMs,
            long deadlineMs,
            CompletableFuture<R> reply) {}

    /** Answers what is asked of the controller. */
    @FunctionalInterface
    public interface Local {
        CompletionStage<? extends ApiMessage> answer(ApiMessage request, short version);
    }
}
