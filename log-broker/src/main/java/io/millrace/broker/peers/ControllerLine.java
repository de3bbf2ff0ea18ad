package io.millrace.broker.peers;

import io.millrace.broker.metadata.Controller;
import io.millrace.broker.metadata.NotController;
import io.millrace.broker.wire.ClientProtocol;
import io.millrace.kernel.Host;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Asks the controller, wherever it is just now: on this node without the network. Where it is lost or not known, the
 * question is asked again until its time is over, so it must be one that may be asked twice.
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
        Question<R> question =
                new Question<>(request, version, answer, world.clock().monotonicMs() + patienceMs);
        question.ask();
        return question.reply;
    }

    private CompletionStage<? extends ApiMessage> ask(int leader, ApiMessage request, short version) {
        if (leader == self) {
            return local.answer(request, version);
        }
        if (leader < 0) {
            return CompletableFuture.failedFuture(new PeerUnavailable("no controller is known just now"));
        }
        return peers.call(leader, request, version, ApiMessage.class);
    }

    private final class Question<R extends ApiMessage> {
        private final CompletableFuture<R> reply = new CompletableFuture<>();
        private final ApiMessage request;
        private final short version;
        private final Class<R> type;
        private final long deadlineMs;

        Question(ApiMessage request, short version, Class<R> type, long deadlineMs) {
            this.request = request;
            this.version = version;
            this.type = type;
            this.deadlineMs = deadlineMs;
        }

        void ask() {
            int leader = controller.leader();
            AtomicBoolean over = new AtomicBoolean();
            ControllerLine.this.ask(leader, request, version).whenComplete((answer, failure) -> {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                if (cause == null) {
                    over.set(true);
                    reply.complete(type.cast(answer));
                } else if (over.compareAndSet(false, true)) {
                    failed(cause);
                }
            });
            watch(leader, over);
        }

        private void failed(Throwable cause) {
            boolean lost = cause instanceof NotController || cause instanceof PeerUnavailable;
            if (lost && world.clock().monotonicMs() + AGAIN_MS < deadlineMs) {
                peers.after(AGAIN_MS, this::ask);
            } else {
                reply.completeExceptionally(cause);
            }
        }

        /** A controller that has fallen silent does not answer, nor does its connection end; it is replaced meanwhile. */
        private void watch(int asked, AtomicBoolean over) {
            peers.after(AGAIN_MS, () -> {
                if (over.get()) {
                    return;
                }
                boolean replaced = controller.leader() >= 0 && controller.leader() != asked;
                boolean late = world.clock().monotonicMs() >= deadlineMs;
                if (!replaced && !late) {
                    watch(asked, over);
                } else if (over.compareAndSet(false, true)) {
                    failed(new PeerUnavailable("the controller, node " + asked + ", has not answered in time"));
                }
            });
        }
    }

    /** Answers what is asked of the controller. */
    @FunctionalInterface
    public interface Local {
        CompletionStage<? extends ApiMessage> answer(ApiMessage request, short version);
    }
}
