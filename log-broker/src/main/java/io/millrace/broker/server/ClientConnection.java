package io.millrace.broker.server;

import io.millrace.broker.wire.Decoded;
import io.millrace.broker.wire.Protocol;
import io.millrace.broker.wire.Request;
import io.millrace.kernel.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection.
 *
 * <pre>
 * reading   --too many unanswered, or a congested queue-->  paused
 * paused    --few unanswered-->                             reading
 * any       --refused, malformed, failed or closed by peer-->  closed
 * any       --ending, and an answer is left out or all are sent-->  closed
 * </pre>
 */
final class ClientConnection implements Connection.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final short OLDEST = 0;
    private static final int MAX_UNANSWERED = 64;
    private static final long MAX_UNANSWERED_BYTES = 128L << 20;

    private final Connection connection;
    private final Protocol protocol;
    private final Dispatch dispatch;
    private final ConnectionMemory memory = new ConnectionMemory();
    private final Queue<Exchange> unanswered = new ArrayDeque<>();
    private long unansweredBytes;
    private boolean reading = true;
    private boolean closed;

    ClientConnection(Connection connection, Protocol protocol, Dispatch dispatch) {
        this.connection = connection;
        this.protocol = protocol;
        this.dispatch = dispatch;
    }

    @Override
    public void frame(ByteBuf frame) {
        if (closed) {
            frame.release();
            return;
        }
        int sizeBytes = frame.readableBytes();
        Decoded decoded = protocol.decode(frame);
        if (decoded instanceof Decoded.Understood understood) {
            accept(understood.request(), sizeBytes);
        } else if (decoded instanceof Decoded.UnsupportedVersion unsupported) {
            answerUnsupported(unsupported);
        } else if (decoded instanceof Decoded.Malformed malformed) {
            drop(malformed.why());
        }
    }

    private void accept(Request request, int sizeBytes) {
        Exchange exchange = new Exchange(request, sizeBytes);
        unanswered.add(exchange);
        unansweredBytes += sizeBytes;
        CompletionStage<? extends ApiMessage> answer;
        try {
            answer = dispatch.handlerOf(request.apiKey()).handle(new RequestContext(request, connection, memory));
        } catch (RuntimeException e) {
            // The frame stays allocated: a part of the request may already be on its way to a shard.
            fail(request, e);
            return;
        }
        answer.whenComplete((response, failure) -> connection.execute(() -> answered(exchange, response, failure)));
        if (memory.takeCongested() || isBusy()) {
            reading = false;
            connection.reading(false);
        }
    }

    private boolean isBusy() {
        return unanswered.size() >= MAX_UNANSWERED || unansweredBytes >= MAX_UNANSWERED_BYTES;
    }

    private void answered(Exchange exchange, ApiMessage response, Throwable failure) {
        if (failure != null) {
            fail(exchange.request, failure instanceof CompletionException ? failure.getCause() : failure);
        }
        if (closed || failure != null) {
            Unsent.release(response);
            exchange.request.release();
            unanswered.remove(exchange);
            return;
        }
        exchange.response = response;
        exchange.done = true;
        while (!unanswered.isEmpty() && unanswered.peek().done) {
            Exchange next = unanswered.remove();
            if (next.response == null && memory.isEnding()) {
                // The client would take whatever came next for the answer that it does not get.
                next.request.release();
                connection.close();
                return;
            }
            send(next);
        }
        if (memory.isEnding()) {
            end();
        } else if (!reading && unanswered.isEmpty()) {
            reading = true;
            connection.reading(true);
        }
    }

    /** Takes in nothing more, and closes when all that was asked is answered. */
    private void end() {
        reading = false;
        connection.reading(false);
        if (unanswered.isEmpty()) {
            connection.close();
        }
    }

    private void send(Exchange exchange) {
        Request request = exchange.request;
        unansweredBytes -= exchange.sizeBytes;
        try {
            if (exchange.response != null) {
                connection.send(protocol.encode(
                        request.apiKey(), request.version(), request.correlationId(), exchange.response));
            }
        } catch (RuntimeException e) { // a response that its version cannot carry is a mistake of the handler
            Unsent.release(exchange.response);
            fail(request, e);
        } finally {
            request.release();
        }
    }

    private void answerUnsupported(Decoded.UnsupportedVersion unsupported) {
        ApiMessage response = dispatch.unsupportedVersion(unsupported.apiKey());
        if (response == null) {
            drop("API key " + unsupported.apiKey() + " version " + unsupported.version() + " is not served");
            return;
        }
        Request readAsOldest = new Request(
                unsupported.apiKey(), "", OLDEST, unsupported.correlationId(), "", null, Unpooled.EMPTY_BUFFER);
        Exchange exchange = new Exchange(readAsOldest, 0);
        unanswered.add(exchange);
        answered(exchange, response, null);
    }

    @Override
    public void refused(String why) {
        drop(why);
    }

    private void fail(Request request, Throwable failure) {
        LOG.error(
                "{} v{} of client {} at {} failed; its connection is closed",
                request.apiName(),
                request.version(),
                request.clientId(),
                connection.remote(),
                failure);
        connection.close();
    }

    private void drop(String why) {
        LOG.warn("closing the connection of {} ({}): {}", connection.remote(), memory.software(), why);
        connection.close();
    }

    @Override
    public void closed() {
        closed = true;
        memory.closed();
        // The others are still being worked on, perhaps by another thread that reads their frame.
        unanswered.removeIf(exchange -> {
            if (exchange.done) {
                Unsent.release(exchange.response);
                exchange.request.release();
            }
            return exchange.done;
        });
    }

    /** A request and, later, its answer. */
    private static final class Exchange {
        private final Request request;
        private final int sizeBytes;
        private ApiMessage response;
        private boolean done;

        Exchange(Request request, int sizeBytes) {
            this.request = request;
            this.sizeBytes = sizeBytes;
        }
    }
}
