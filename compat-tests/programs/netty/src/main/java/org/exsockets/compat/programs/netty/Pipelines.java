package org.exsockets.compat.programs.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The handlers of each kind of connection: in the end, all give and take whole messages of HTTP. Stateless. */
final class Pipelines {
    /** What both sides offer in the hand-shake of TLS. */
    static final ApplicationProtocolConfig CHOICE = new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2,
            ApplicationProtocolNames.HTTP_1_1);

    private static final int LARGEST_BODY_BYTES = 16 << 20;

    private Pipelines() {}

    /** Adds what a server's connection of HTTP/1.1 needs. */
    static void http1(Channel channel, ChannelHandler last) {
        channel.pipeline().addLast(new HttpServerCodec(), aggregator(), last);
    }

    /** Adds what a client's connection of HTTP/1.1 needs. */
    static void http1Client(Channel channel, ChannelHandler last) {
        channel.pipeline().addLast(new HttpClientCodec(), aggregator(), last);
    }

    /** Adds what a server's connection of HTTP/2 needs; {@code last} is asked for each request's handler. */
    static void http2Server(Channel channel, Supplier<ChannelHandler> last) {
        channel.pipeline()
                .addLast(
                        Http2FrameCodecBuilder.forServer().build(),
                        new Http2MultiplexHandler(new Initializer(stream -> http2Stream(stream, true, last.get()))));
    }

    /** Adds what a client's connection of HTTP/2 needs. */
    static void http2Client(Channel channel) {
        channel.pipeline()
                .addLast(
                        Http2FrameCodecBuilder.forClient().build(),
                        new Http2MultiplexHandler(new Initializer(Channel::close)));
    }

    /** Adds what one exchange over HTTP/2 needs. */
    static void http2Stream(Channel stream, boolean server, ChannelHandler last) {
        stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(server), aggregator(), last);
    }

    private static HttpObjectAggregator aggregator() {
        return new HttpObjectAggregator(LARGEST_BODY_BYTES);
    }

    /** Initialises each channel in the given way. */
    @ChannelHandler.Sharable
    static final class Initializer extends ChannelInitializer<Channel> {
        private final Consumer<Channel> way;

        Initializer(Consumer<Channel> way) {
            this.way = way;
        }

        @Override
        protected void initChannel(Channel channel) {
            way.accept(channel);
        }
    }
}
