package io.millrace.broker.server;

import io.millrace.broker.wire.Request;
import io.millrace.kernel.Connection;
import org.apache.kafka.common.protocol.ApiMessage;

/** A request, where it came from, and what its connection remembers. */
public record RequestContext(Request request, Connection connection, ConnectionMemory memory) {

    public short version() {
        return request.version();
    }

    public String clientId() {
        return request.clientId() == null ? "" : request.clientId();
    }

    /** The body, which the dispatch table guarantees to be of the handler's type. */
    public <T extends ApiMessage> T body(Class<T> type) {
        return type.cast(request.body());
    }
}
