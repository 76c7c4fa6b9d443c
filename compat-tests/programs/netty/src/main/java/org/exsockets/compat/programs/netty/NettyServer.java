package org.exsockets.compat.programs.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Keys;
import org.exsockets.compat.programs.driver.Ports;

/** Serves the web application with HTTP/1.1, with HTTP/2 whose clients know it beforehand, and with either over TLS. */
public final class NettyServer {
    private static final long LIMIT_SECONDS = 60;

    private NettyServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
            SslContext tls = SslContextBuilder.forServer(Keys.identity())
                    .sslProvider(SslProvider.JDK)
                    .applicationProtocolConfig(Pipelines.CHOICE)
                    .build();
            return new Driver.Running(
                    () -> loops.shutdownGracefully(0, LIMIT_SECONDS, TimeUnit.SECONDS)
                            .sync(),
                    listen(loops, new Pipelines.Initializer(channel -> Pipelines.http1(channel, new Answering()))),
                    listen(loops, new Pipelines.Initializer(channel -> Pipelines.http2Server(channel, Answering::new))),
                    listen(loops, new Pipelines.Initializer(channel -> {
                        channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        channel.pipeline().addLast(new Choosing());
                    })));
        });
    }

    private static int listen(MultiThreadIoEventLoopGroup loops, ChannelHandler initializer)
            throws InterruptedException {
        Channel listener = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(initializer)
                .bind(Ports.HOST, 0)
                .sync()
                .channel();
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }
}
