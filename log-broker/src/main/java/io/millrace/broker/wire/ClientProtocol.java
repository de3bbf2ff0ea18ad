package io.millrace.broker.wire;

import io.millrace.kernel.Connection;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** The protocol from a client's side, as one broker is to another: requests to frames and frames to responses. */
public final class ClientProtocol {
    private final String clientId;

    public ClientProtocol(String clientId) {
        this.clientId = clientId;
    }

    /** The newest version of an API that is stable. */
    public static short latestVersion(ApiMessage request) {
        return ApiKeys.forId(request.apiKey()).latestVersion(false);
    }

    /** The frame of a request, its length first. */
    public List<Connection.Part> encode(short version, int correlationId, ApiMessage request) {
        ApiKeys api = ApiKeys.forId(request.apiKey());
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion(version)
                .setCorrelationId(correlationId)
                .setClientId(clientId);
        return Frames.encode(header, api.requestHeaderVersion(version), request, version);
    }

    public static int correlationId(ByteBuf frame) {
        return frame.getInt(frame.readerIndex());
    }

    /** Reads the frame of a response, which owns it from then on. */
    public static Response decode(short apiKey, short version, ByteBuf frame) {
        ApiKeys api = ApiKeys.forId(apiKey);
        BufReadable readable = new BufReadable(frame);
        new ResponseHeaderData(readable, api.responseHeaderVersion(version));
        ApiMessage body = api.messageType.newResponse();
        body.read(readable, version);
        return new Response(body, frame);
    }
}
