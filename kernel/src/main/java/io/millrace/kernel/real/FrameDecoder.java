package io.millrace.kernel.real;

import io.millrace.kernel.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the bytes of a connection into frames. Memory grows with the bytes that have really arrived, whatever length
 * the peer announced.
 */
final class FrameDecoder extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(FrameDecoder.class);
    private static final int LENGTH_BYTES = 4;

    private final int maxFrameBytes;
    private final NettyConnection connection;
    private final Connection.Handler handler;
    private boolean refused;

    FrameDecoder(int maxFrameBytes, NettyConnection connection, Connection.Handler handler) {
        this.maxFrameBytes = maxFrameBytes;
        this.connection = connection;
        this.handler = handler;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (refused) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 0 || length > maxFrameBytes) {
            refused = true;
            handler.refused("a frame of " + length + " bytes, allowed are 0 to " + maxFrameBytes);
            context.close();
            return;
        }
        if (in.readableBytes() < LENGTH_BYTES + length) {
            return;
        }
        in.skipBytes(LENGTH_BYTES);
        handler.frame(in.readRetainedSlice(length));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        handler.established();
        super.channelActive(context);
    }

    /** Netty's own reads on here, although it was told not to, where a decoder has passed no message to the next handler. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        discardSomeReadBytes();
        context.fireChannelReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        connection.writable(context.channel().isWritable());
        context.fireChannelWritabilityChanged();
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        handler.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A reset by the peer is everyday life; the owner hears of the end through closed().
        LOG.debug("connection to {} fails", context.channel().remoteAddress(), cause);
        context.close();
    }
}
