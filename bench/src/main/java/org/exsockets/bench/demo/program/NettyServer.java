package org.exsockets.bench.demo.program;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.Version;
import java.net.InetSocketAddress;

/** A Netty echo server on the NIO transport. Prints its port when it serves. */
public final class NettyServer {
    private NettyServer() {}

    /** Starts the server; its event loop keeps the JVM running. */
    public static void main(String[] arguments) throws InterruptedException {
        Channel channel = new ServerBootstrap()
                .group(new NioEventLoopGroup(1))
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        accepted.pipeline().addLast(new Echo());
                    }
                })
                .bind(ServerHost.NAME, 0)
                .sync()
                .channel();
        String version = Version.identify().get("netty-transport").artifactVersion();
        int port = ((InetSocketAddress) channel.localAddress()).getPort();
        System.out.println("Netty " + version + " serves on port " + port);
    }

    /** Sends back what it receives, and stops reading while the peer does not take it. */
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(context.channel().isWritable());
        }
    }
}
