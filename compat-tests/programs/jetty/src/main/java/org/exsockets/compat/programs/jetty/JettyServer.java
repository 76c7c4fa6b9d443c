package org.exsockets.compat.programs.jetty;

import java.nio.ByteBuffer;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Keys;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.WebApplication;

/** Serves the web application with HTTP/1.1 and HTTP/2. */
public final class JettyServer {
    private JettyServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            Server server = new Server();
            HttpConfiguration clear = new HttpConfiguration();
            ServerConnector plain =
                    connector(server, new HttpConnectionFactory(clear), new HTTP2CServerConnectionFactory(clear));
            ServerConnector tls = connector(server, encrypted());
            server.setHandler(new Application());
            server.start();
            return new Driver.Running(
                    server::stop,
                    "h1=http://" + address(plain),
                    "h2=http://" + address(plain),
                    "h1=https://" + address(tls),
                    "h2=https://" + address(tls));
        });
    }

    private static ConnectionFactory[] encrypted() {
        HttpConfiguration secure = new HttpConfiguration();
        secure.addCustomizer(new SecureRequestCustomizer());
        SslContextFactory.Server keys = new SslContextFactory.Server();
        keys.setKeyStorePath(Keys.FILE);
        keys.setKeyStorePassword(Keys.PASSWORD);
        ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory();
        choice.setDefaultProtocol("http/1.1");
        return new ConnectionFactory[] {
            new SslConnectionFactory(keys, choice.getProtocol()),
            choice,
            new HTTP2ServerConnectionFactory(secure),
            new HttpConnectionFactory(secure)
        };
    }

    private static ServerConnector connector(Server server, ConnectionFactory... protocols) {
        ServerConnector connector = new ServerConnector(server, protocols);
        connector.setHost(Ports.HOST);
        server.addConnector(connector);
        return connector;
    }

    private static String address(ServerConnector connector) {
        return Ports.HOST + ":" + connector.getLocalPort();
    }

    private static final class Application extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            byte[] body = BufferUtil.toArray(Content.Source.asByteBuffer(request));
            WebApplication.Answer answer =
                    WebApplication.answer(request.getMethod(), Request.getPathInContext(request), body);
            response.setStatus(answer.status());
            response.write(true, ByteBuffer.wrap(answer.body()), callback);
            return true;
        }
    }
}
