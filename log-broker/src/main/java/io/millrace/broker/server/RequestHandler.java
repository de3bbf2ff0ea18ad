package io.millrace.broker.server;

import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;

/** Answers the requests of one API. Called on the I/O thread of the connection, which it must not block. */
@FunctionalInterface
public interface RequestHandler {

    /**
     * @return the response, now or later, from any thread; {@link NoResponse#get()} where there is to be none. A
     *     failure closes the connection, so what a client can act upon must be an error in the response.
     */
    CompletionStage<? extends ApiMessage> handle(RequestContext request);
}
