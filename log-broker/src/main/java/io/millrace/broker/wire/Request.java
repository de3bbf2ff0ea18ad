package io.millrace.broker.wire;

import io.netty.buffer.ByteBuf;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * A request that has been understood. Byte fields of the body are views of the frame: they are valid until the request
 * is released.
 */
public record Request(
        short apiKey,
        String apiName,
        short version,
        int correlationId,
        String clientId,
        ApiMessage body,
        ByteBuf frame) {

    public void release() {
        frame.release();
    }
}
