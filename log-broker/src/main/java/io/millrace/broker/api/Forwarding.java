package io.millrace.broker.api;

import io.millrace.broker.peers.ControllerLine;
import io.millrace.broker.server.ConnectionMemory;
import io.millrace.broker.server.RequestContext;
import io.millrace.broker.server.RequestHandler;
import io.millrace.broker.wire.Request;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Requests that the controller alone can answer. Whichever broker gets one brings it to the controller, so clients need
 * not know where that is.
 */
final class Forwarding implements ControllerLine.Local {
    private static final long PATIENCE_MS = 10_000;
    private static final int NOWHERE = -1;

    private final ControllerLine line;
    private final Map<Short, RequestHandler> here = new HashMap<>();

    Forwarding(ControllerLine line) {
        this.line = line;
    }

    /** @param handler answers where this broker is the controller */
    RequestHandler of(ApiMessageType api, RequestHandler handler) {
        here.put(api.apiKey(), handler);
        return request -> line.ask(request.request().body(), request.version(), ApiMessage.class, PATIENCE_MS);
    }

    /**
     * The same for what is worth nothing later: it is not passed on.
     *
     * @param handler answers everywhere
     */
    RequestHandler notPassedOn(ApiMessageType api, RequestHandler handler) {
        here.put(api.apiKey(), handler);
        return handler;
    }

    @Override
    public CompletionStage<? extends ApiMessage> answer(ApiMessage body, short version) {
        Request request = new Request(body.apiKey(), "", version, NOWHERE, "", body, Unpooled.EMPTY_BUFFER);
        return here.get(body.apiKey()).handle(new RequestContext(request, null, new ConnectionMemory()));
    }
}
