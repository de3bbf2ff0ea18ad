package io.millrace.broker;

import io.millrace.broker.settings.BrokerSettings;
import io.millrace.kernel.Connection;
import io.millrace.kernel.Host;
import io.millrace.kernel.sim.SimDisk;
import io.millrace.kernel.sim.SimWorld;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/** A whole broker under virtual time, and clients that speak the protocol to it. */
final class SimBroker {
    private static final long PATIENCE_MS = 120_000;

    final SimWorld world;
    final SimDisk disk = new SimDisk();
    private final Map<String, String> settings = new HashMap<>();
    private BrokerNode node;

    SimBroker(long seed, Map<String, String> more) {
        world = new SimWorld(seed);
        settings.put(BrokerSettings.PORT, "0");
        settings.put(BrokerSettings.SHARDS, "2");
        settings.put(BrokerSettings.OFFSETS_PARTITIONS, "2");
        settings.put(BrokerSettings.TRANSACTION_PARTITIONS, "2");
        settings.putAll(more);
        start();
    }

    private void start() {
        Host host = world.host(disk);
        node = BrokerNode.start(host, new BrokerConfig(Path.of("/data"), settings), QuorumMaker.LOCAL);
        await("the broker is ready", node.ready());
    }

    /** The process dies; what it had written is still there when the next one starts. */
    void killAndRestart() {
        disk.killOwner();
        start();
    }

    void stop() {
        await("the broker has stopped", node.stop(step -> world.at(1, "step of the stop", step)));
    }

    /** The power fails; what was not forced is gone when the next process starts. */
    void powerCutAndRestart() {
        disk.crash();
        start();
    }

    <T> T await(String what, CompletableFuture<T> future) {
        if (!world.runUntil(future::isDone, PATIENCE_MS)) {
            throw new AssertionError("after " + PATIENCE_MS + " ms of virtual time: not " + what);
        }
        return future.join();
    }

    Client client() {
        return new Client();
    }

    /** One connection. */
    final class Client {
        private final CompletableFuture<Connection> opened = new CompletableFuture<>();
        private final Map<Integer, CompletableFuture<ByteBuffer>> waiting = new HashMap<>();
        private int nextCorrelationId = 1;
        private boolean closed;

        private Client() {
            world.host(disk).network().connect("127.0.0.1", node.port(), Integer.MAX_VALUE, connection -> {
                opened.complete(connection);
                return new Connection.Handler() {
                    @Override
                    public void frame(ByteBuf frame) {
                        received(frame);
                    }

                    @Override
                    public void refused(String why) {
                        throw new AssertionError(why);
                    }

                    @Override
                    public void closed() {
                        closed = true;
                    }
                };
            });
        }

        private void received(ByteBuf frame) {
            ByteBuffer bytes = ByteBuffer.allocate(frame.readableBytes());
            frame.readBytes(bytes);
            frame.release();
            bytes.flip();
            CompletableFuture<ByteBuffer> answer = waiting.remove(bytes.getInt(0));
            if (answer != null) {
                answer.complete(bytes);
            }
        }

        boolean isClosed() {
            return closed;
        }

        void disconnect() {
            opened.join().close();
        }

        /** Sends a request, lets time pass until the answer is there, and returns it. */
        <T extends ApiMessage> T call(ApiMessage body, int version, Class<T> type) {
            return await("an answer to " + body, send(body, version, type));
        }

        /** Sends bytes that may be anything; an answer to them is not looked at. */
        void sendBytes(byte[] bytes) {
            opened.join().send(List.of(new Connection.Memory(Unpooled.wrappedBuffer(bytes))));
        }

        /** Sends a request; the answer comes as time passes. */
        <T extends ApiMessage> CompletableFuture<T> send(ApiMessage body, int version, Class<T> type) {
            int correlationId = nextCorrelationId++;
            CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
            waiting.put(correlationId, answer);
            byte[] frame = WireClient.frame(body, (short) version, correlationId);
            opened.join().send(List.of(new Connection.Memory(Unpooled.wrappedBuffer(frame))));
            ApiKeys api = ApiKeys.forId(body.apiKey());
            return answer.thenApply(bytes -> {
                ByteBufferAccessor readable = new ByteBufferAccessor(bytes);
                ResponseHeaderData header =
                        new ResponseHeaderData(readable, api.responseHeaderVersion((short) version));
                assert header.correlationId() == correlationId;
                ApiMessage response = api.messageType.newResponse();
                response.read(readable, (short) version);
                if (readable.remaining() > 0) {
                    throw new AssertionError(readable.remaining() + " bytes are left over behind " + response);
                }
                return type.cast(response);
            });
        }
    }
}
