package org.exsockets.compat.programs.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.HttpConversionUtil;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Keys;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.Results;
import org.exsockets.compat.programs.driver.WebApplication;

/** Requests to {@link NettyServer}. Arguments: its ports for HTTP/1.1, HTTP/2 and TLS. */
public final class NettyClient {
    private static final int ITEMS = 500;
    private static final int AT_ONCE = 50;
    private static final int LARGE_BYTES = 8_000_000;
    private static final long LIMIT_SECONDS = 60;

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Results results;

    private NettyClient(Results results) {
        this.results = results;
    }

    /** A way to have a request answered. */
    private interface Connection {
        CompletableFuture<Answer> send(FullHttpRequest request) throws Exception;
    }

    private record Answer(int status, byte[] body) {}

    public static void main(String[] arguments) {
        Driver.work(results -> {
            NettyClient client = new NettyClient(results);
            SslContext tls = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .trustManager(Keys.trust())
                    .applicationProtocolConfig(Pipelines.CHOICE)
                    .build();
            client.use(client.http1(Integer.parseInt(arguments[0])));
            client.use(client.http2(Integer.parseInt(arguments[1]), null));
            client.use(client.http2(Integer.parseInt(arguments[2]), tls));
            client.loops.shutdownGracefully(0, LIMIT_SECONDS, TimeUnit.SECONDS).sync();
            results.put("items", 3 * ITEMS);
        });
    }

    private Connection http1(int port) throws Exception {
        Answers answers = new Answers();
        Channel channel = connect(port, new Pipelines.Initializer(made -> Pipelines.http1Client(made, answers)));
        return request -> {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            answers.awaited.add(answer);
            channel.writeAndFlush(request).addListener(sent -> {
                if (!sent.isSuccess()) {
                    answer.completeExceptionally(sent.cause());
                }
            });
            return answer;
        };
    }

    private Connection http2(int port, SslContext tls) throws Exception {
        Channel channel = connect(port, new Pipelines.Initializer(made -> {
            if (tls != null) {
                made.pipeline().addLast(tls.newHandler(made.alloc(), Ports.HOST, port));
            }
            Pipelines.http2Client(made);
        }));
        if (tls != null) {
            SslHandler handler = channel.pipeline().get(SslHandler.class);
            handler.handshakeFuture().sync();
            Expect.equal(ApplicationProtocolNames.HTTP_2, handler.applicationProtocol(), "protocol over TLS");
        }
        return request -> {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            Answers answers = new Answers();
            answers.awaited.add(answer);
            Channel stream = new Http2StreamChannelBootstrap(channel)
                    .handler(new Pipelines.Initializer(made -> Pipelines.http2Stream(made, false, answers)))
                    .open()
                    .sync()
                    .getNow();
            request.headers()
                    .set(HttpConversionUtil.ExtensionHeaderNames.SCHEME.text(), tls == null ? "http" : "https");
            stream.writeAndFlush(request).addListener(sent -> {
                if (!sent.isSuccess()) {
                    answer.completeExceptionally(sent.cause());
                }
            });
            return answer;
        };
    }

    private Channel connect(int port, Pipelines.Initializer initializer) throws InterruptedException {
        return new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .handler(initializer)
                .connect(Ports.HOST, port)
                .sync()
                .channel();
    }

    private void use(Connection connection) throws Exception {
        for (int first = 0; first < ITEMS; first += AT_ONCE) {
            CompletableFuture<?>[] answers = new CompletableFuture<?>[AT_ONCE];
            for (int i = 0; i < AT_ONCE; i++) {
                answers[i] = connection.send(request(HttpMethod.GET, "/item/" + (first + i), new byte[0]));
            }
            for (int i = 0; i < AT_ONCE; i++) {
                Answer answer = (Answer) answers[i].get(LIMIT_SECONDS, TimeUnit.SECONDS);
                Expect.equal(200, answer.status(), "status of item " + (first + i));
                Expect.equal(
                        WebApplication.item(first + i),
                        new String(answer.body(), StandardCharsets.US_ASCII),
                        "item " + (first + i));
                results.toClient(answer.body().length);
            }
        }
        byte[] large = WebApplication.bytes(LARGE_BYTES);
        Answer answer = get(connection.send(request(HttpMethod.GET, "/bytes/" + LARGE_BYTES, new byte[0])));
        Expect.equal(large, answer.body(), "large body");
        Answer hash = get(connection.send(request(HttpMethod.POST, "/hash", large)));
        Expect.equal(
                Content.hash(large), new String(hash.body(), StandardCharsets.US_ASCII), "digest of the large body");
        results.toClient(LARGE_BYTES);
        results.toServer(LARGE_BYTES);
        Expect.equal(
                404,
                get(connection.send(request(HttpMethod.GET, "/nowhere", new byte[0])))
                        .status(),
                "missing");
    }

    private static Answer get(CompletableFuture<Answer> answer) throws Exception {
        return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static FullHttpRequest request(HttpMethod method, String path, byte[] body) {
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, path, Unpooled.wrappedBuffer(body));
        request.headers().set(HttpHeaderNames.HOST, Ports.HOST);
        HttpUtil.setContentLength(request, body.length);
        return request;
    }

    /** Hands the responses of a connection, or of a stream, to those who wait for them, in their order. */
    private static final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
        private final ConcurrentLinkedQueue<CompletableFuture<Answer>> awaited = new ConcurrentLinkedQueue<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            awaited.remove().complete(new Answer(response.status().code(), ByteBufUtil.getBytes(response.content())));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail(new IllegalStateException("the connection is closed"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            fail(failure);
        }

        private void fail(Throwable failure) {
            awaited.forEach(answer -> answer.completeExceptionally(failure));
        }
    }
}
