package io.millrace.broker.wire;

import io.netty.buffer.ByteBuf;
import org.apache.kafka.common.protocol.ApiMessage;

/** A response that has been understood. Byte fields of the body are views of the frame, valid until it is released. */
public record Response(ApiMessage body, ByteBuf frame) {

    public void release() {
        frame.release();
    }
}
