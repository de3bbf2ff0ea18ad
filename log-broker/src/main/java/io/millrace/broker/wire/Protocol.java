package io.millrace.broker.wire;

import io.millrace.kernel.Connection;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** Frames to requests and responses to frames, for a given set of APIs. */
public final class Protocol {
    private static final int SMALLEST_HEADER_BYTES = 8;

    private final Set<Short> served;

    /** @param served the API keys that have a handler; all others are treated as unknown */
    public Protocol(Set<Short> served) {
        this.served = Set.copyOf(served);
    }

    /**
     * Loads the messages of all APIs, some 500 classes. To be called beside what else a start has to do: the first
     * request or table of handlers would wait for it.
     */
    public static void load() {
        ApiKeys.forId(ApiMessageType.API_VERSIONS.apiKey());
    }

    /** Reads a frame; an understood request owns it, otherwise it has been released. */
    public Decoded decode(ByteBuf frame) {
        Decoded decoded;
        try {
            decoded = parse(frame);
        } catch (RuntimeException e) { // the generated readers throw many kinds for bytes that make no sense
            decoded = new Decoded.Malformed(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
        if (!(decoded instanceof Decoded.Understood)) {
            frame.release();
        }
        return decoded;
    }

    private Decoded parse(ByteBuf frame) {
        if (frame.readableBytes() < SMALLEST_HEADER_BYTES) {
            return new Decoded.Malformed("a frame of " + frame.readableBytes() + " bytes, too short for a header");
        }
        short apiKey = frame.getShort(frame.readerIndex());
        short version = frame.getShort(frame.readerIndex() + 2);
        if (!served.contains(apiKey)) {
            return new Decoded.Malformed("API key " + apiKey + " is not served");
        }
        ApiKeys api = ApiKeys.forId(apiKey);
        // Not by isVersionEnabled: it accepts any version of ApiVersions, also those that cannot be read here.
        if (version < api.oldestVersion() || version > api.latestVersion(false)) {
            return new Decoded.UnsupportedVersion(apiKey, version, frame.getInt(frame.readerIndex() + 4));
        }
        BufReadable readable = new BufReadable(frame);
        RequestHeaderData header = new RequestHeaderData(readable, api.requestHeaderVersion(version));
        ApiMessage body = api.messageType.newRequest();
        body.read(readable, version);
        if (frame.isReadable()) {
            return new Decoded.Malformed(
                    frame.readableBytes() + " bytes are left over behind a request " + api.name + " v" + version);
        }
        return new Decoded.Understood(
                new Request(apiKey, api.name, version, header.correlationId(), header.clientId(), body, frame));
    }

    /** The frame of a response, its length first. */
    public List<Connection.Part> encode(short apiKey, short version, int correlationId, ApiMessage body) {
        short headerVersion = ApiKeys.forId(apiKey).responseHeaderVersion(version);
        ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(correlationId);
        return Frames.encode(header, headerVersion, body, version);
    }

    /** What ApiVersions advertises for the APIs that clients may use, in the order of their keys. */
    public ApiVersionsResponseData.ApiVersionCollection advertised() {
        ApiVersionsResponseData.ApiVersionCollection versions = new ApiVersionsResponseData.ApiVersionCollection();
        served.stream()
                .sorted()
                .map(ApiKeys::forId)
                .filter(api -> api.inScope(ApiMessageType.ListenerType.BROKER))
                .forEach(api -> versions.add(advertise(api)));
        return versions;
    }

    private static ApiVersion advertise(ApiKeys api) {
        return api.toApiVersionForApiResponse(false, ApiMessageType.ListenerType.BROKER)
                .orElseThrow(() -> new IllegalArgumentException(api.name + " cannot be served by a broker"));
    }
}
