package io.millrace.broker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;

/** Speaks the protocol over a socket, request by request, in any version: for what no client library would send. */
final class WireClient implements AutoCloseable {
    private static final int READ_TIMEOUT_MS = 20_000;

    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;
    private int nextCorrelationId = 1;

    WireClient(String bootstrap) throws IOException {
        String[] address = bootstrap.split(":");
        socket = new Socket(address[0], Integer.parseInt(address[1]));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_TIMEOUT_MS);
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
    }

    /** Sends a request and waits for its response. */
    <T extends ApiMessage> T call(ApiMessage body, int version, Class<T> response) throws IOException {
        int correlationId = nextCorrelationId++;
        sendBytes(frame(body, (short) version, correlationId));
        return response.cast(receive(ApiKeys.forId(body.apiKey()), (short) version, correlationId));
    }

    /** The bytes of a request, its length first. */
    static byte[] frame(ApiMessage body, short version, int correlationId) {
        ApiKeys api = ApiKeys.forId(body.apiKey());
        short headerVersion = api.requestHeaderVersion(version);
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion(version)
                .setCorrelationId(correlationId)
                .setClientId("wire-client");
        ByteBuffer headerBytes =
                MessageUtil.toByteBufferAccessor(header, headerVersion).buffer();
        ByteBuffer bodyBytes = MessageUtil.toByteBufferAccessor(body, version).buffer();
        ByteBuffer frame = ByteBuffer.allocate(4 + headerBytes.remaining() + bodyBytes.remaining());
        frame.putInt(headerBytes.remaining() + bodyBytes.remaining());
        frame.put(headerBytes).put(bodyBytes);
        return frame.array();
    }

    void sendBytes(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    ApiMessage receive(ApiKeys api, short version, int correlationId) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        ByteBufferAccessor readable = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
        ResponseHeaderData header = new ResponseHeaderData(readable, api.responseHeaderVersion(version));
        if (header.correlationId() != correlationId) {
            throw new AssertionError("an answer to request " + header.correlationId() + " instead of " + correlationId);
        }
        ApiMessage body = api.messageType.newResponse();
        body.read(readable, version);
        return body;
    }

    /** Whether the other side has closed the connection; waits for it. */
    boolean isClosedByPeer() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
