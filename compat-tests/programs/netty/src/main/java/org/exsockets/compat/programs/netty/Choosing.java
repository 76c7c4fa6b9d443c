package org.exsockets.compat.programs.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;

/** Makes a server's connection over TLS one of HTTP/2 or of HTTP/1.1, as the hand-shake has chosen. */
final class Choosing extends ApplicationProtocolNegotiationHandler {
    Choosing() {
        super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
        if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
            Pipelines.http2Server(context.channel(), Answering::new);
        } else {
            Pipelines.http1(context.channel(), new Answering());
        }
    }
}
