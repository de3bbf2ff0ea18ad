package io.millrace.kernel.real;

import io.millrace.kernel.Connection;
import io.millrace.kernel.Network;
import io.millrace.kernel.NetworkException;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** TCP through Netty: epoll where the system has it, NIO elsewhere. */
final class NettyNetwork implements Network {
    private final EventLoopGroup threads;
    private final Class<? extends ServerChannel> serverChannel;
    private final Class<? extends Channel> channel;
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    NettyNetwork(int ioThreads) {
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        threads = new MultiThreadIoEventLoopGroup(ioThreads, new DefaultThreadFactory("millrace-io", true), io);
        serverChannel = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        channel = epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    @Override
    public Listener listen(String host, int port, int maxFrameBytes, Function<Connection, Connection.Handler> accept) {
        ChannelFuture bound = new ServerBootstrap()
                .group(threads)
                .channel(serverChannel)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(pipeline(maxFrameBytes, accept))
                .bind(host, port)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            String message = "cannot listen on " + host + ":" + port + ": "
                    + bound.cause().getMessage() + "; choose another address, or port 0 for any free one";
            throw new NetworkException(message, bound.cause());
        }
        Channel server = bound.channel();
        open.add(server);
        int actual = ((InetSocketAddress) server.localAddress()).getPort();
        return new Listener() {
            @Override
            public int port() {
                return actual;
            }

            @Override
            public void accept() {
                server.config().setAutoRead(true);
            }

            @Override
            public void close() {
                server.close().awaitUninterruptibly();
            }
        };
    }

    @Override
    public void connect(String host, int port, int maxFrameBytes, Function<Connection, Connection.Handler> opened) {
        new Bootstrap()
                .group(threads)
                .channel(channel)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(pipeline(maxFrameBytes, opened))
                .connect(host, port);
    }

    private ChannelInitializer<SocketChannel> pipeline(
            int maxFrameBytes, Function<Connection, Connection.Handler> handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel socket) {
                open.add(socket);
                NettyConnection connection = new NettyConnection(socket);
                Connection.Handler handler = handlers.apply(connection);
                socket.pipeline().addLast(new FrameDecoder(maxFrameBytes, connection, handler));
            }
        };
    }

    @Override
    public void close() {
        open.close().awaitUninterruptibly();
        threads.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
