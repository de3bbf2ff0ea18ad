package io.millrace.simulator.client;

import io.millrace.broker.wire.ClientProtocol;
import io.millrace.kernel.Connection;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiMessage;

/** One connection to a broker; requests wait until it stands, and fail when it ends. */
final class ClientConnection implements Connection.Handler {
    private static final ClientProtocol PROTOCOL = new ClientProtocol("simulated");

    private final Connection connection;
    private final Queue<Call> unanswered = new ArrayDeque<>();
    private final Queue<Runnable> unsent = new ArrayDeque<>();
    private int nextCorrelationId;
    private boolean established;
    private boolean closed;

    ClientConnection(Connection connection) {
        this.connection = connection;
    }

    boolean isClosed() {
        return closed;
    }

    CompletableFuture<ApiMessage> call(ApiMessage request, short version) {
        CompletableFuture<ApiMessage> answer = new CompletableFuture<>();
        int id = nextCorrelationId++;
        unanswered.add(new Call(id, request.apiKey(), version, answer));
        Runnable send = () -> connection.send(PROTOCOL.encode(version, id, request));
        if (established) {
            send.run();
        } else {
            unsent.add(send);
        }
        return answer;
    }

    void close(String why) {
        if (!closed) {
            connection.close();
            end(why);
        }
    }

    private void end(String why) {
        closed = true;
        List<Call> lost = new ArrayList<>(unanswered);
        unanswered.clear();
        lost.forEach(call -> call.answer.completeExceptionally(new NoAnswer(why)));
    }

    @Override
    public void established() {
        established = true;
        while (!unsent.isEmpty() && !closed) {
            unsent.remove().run();
        }
    }

    /** Kafka's clients take an answer for that to the oldest request, and are of no use afterwards where it is not. */
    @Override
    public void frame(ByteBuf frame) {
        Call call = unanswered.poll();
        if (call == null) {
            return; // it waits for nothing any more
        }
        int answered = ClientProtocol.correlationId(frame);
        if (answered != call.id) {
            throw new AssertionError("a broker answered request " + answered + " instead of " + call.id);
        }
        // is never released, for records of an answer are looked at later: the simulated network's are on the heap
        call.answer.complete(
                ClientProtocol.decode(call.apiKey, call.version, frame).body());
    }

    @Override
    public void refused(String why) {
        throw new AssertionError("a broker sent " + why);
    }

    @Override
    public void closed() {
        end("the connection is closed");
    }

    private record Call(int id, short apiKey, short version, CompletableFuture<ApiMessage> answer) {}
}
