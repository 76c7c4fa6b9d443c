package org.exsockets.compat.programs.netty;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.HttpConversionUtil;
import org.exsockets.compat.programs.driver.WebApplication;

/** Answers the requests of one connection, or the one of a stream of HTTP/2. */
final class Answering extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final String STREAM =
            HttpConversionUtil.ExtensionHeaderNames.STREAM_ID.text().toString();

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        WebApplication.Answer answer =
                WebApplication.answer(request.method().name(), request.uri(), ByteBufUtil.getBytes(request.content()));
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                Unpooled.wrappedBuffer(answer.body()));
        HttpUtil.setContentLength(response, answer.body().length);
        if (request.headers().contains(STREAM)) {
            response.headers().set(STREAM, request.headers().get(STREAM));
        }
        context.writeAndFlush(response);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        failure.printStackTrace();
        context.close();
    }
}
