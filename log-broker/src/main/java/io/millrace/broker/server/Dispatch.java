package io.millrace.broker.server;

import io.millrace.broker.wire.ErrorCode;
import io.millrace.broker.wire.Protocol;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;

/** Which handler answers which API. */
public final class Dispatch {
    private static final short API_VERSIONS = 18;

    private final Map<Short, RequestHandler> handlers;
    private final Protocol protocol;

    public Dispatch(Map<Short, RequestHandler> handlers) {
        this.handlers = Map.copyOf(handlers);
        this.protocol = new Protocol(Set.copyOf(handlers.keySet()));
    }

    public Protocol protocol() {
        return protocol;
    }

    RequestHandler handlerOf(short apiKey) {
        return handlers.get(apiKey);
    }

    /** The answer in version 0 to a version that is not served; null where the protocol knows none. */
    ApiMessage unsupportedVersion(short apiKey) {
        if (apiKey != API_VERSIONS) {
            return null;
        }
        return new ApiVersionsResponseData()
                .setErrorCode(ErrorCode.UNSUPPORTED_VERSION.code())
                .setApiKeys(protocol.advertised());
    }
}
