package org.exsockets.bench.demo.program;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingNestedCallback;

/**
 * A Jetty server with small items under {@code /item/N} and downloads of N chunks of {@link Payload} under
 * {@code /download/N}. Prints its port when it serves.
 */
public final class JettyServer {
    private static final int IDLE_MS = 300_000;

    private JettyServer() {}

    /** Starts the server; Jetty's own threads keep the JVM running. */
    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(ServerHost.NAME);
        connector.setIdleTimeout(IDLE_MS);
        server.addConnector(connector);
        server.setHandler(new Items());
        server.start();
        System.out.println("Jetty " + Server.getVersion() + " serves on port " + connector.getLocalPort());
    }

    private static final class Items extends Handler.Abstract.NonBlocking {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            String path = Request.getPathInContext(request);
            if (path.startsWith("/item/")) {
                String item = JettyItem.text(Integer.parseInt(path.substring("/item/".length())));
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
                Content.Sink.write(response, true, item, callback);
            } else if (path.startsWith("/download/")) {
                long chunks = Long.parseLong(path.substring("/download/".length()));
                response.getHeaders().put(HttpHeader.CONTENT_LENGTH, chunks * Payload.CHUNK_BYTES);
                new Download(response, chunks, callback).iterate();
            } else {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
            return true;
        }
    }

    /** Writes one chunk after the other; a chunk is refilled only once the one before it has been written. */
    private static final class Download extends IteratingNestedCallback {
        private final Response response;
        private final long chunks;
        private final Payload payload = new Payload();
        private long written;

        Download(Response response, long chunks, Callback callback) {
            super(callback);
            this.response = response;
            this.chunks = chunks;
        }

        @Override
        protected Action process() {
            if (written == chunks) {
                return Action.SUCCEEDED;
            }
            ByteBuffer chunk = payload.chunk(written++);
            response.write(written == chunks, chunk, this);
            return Action.SCHEDULED;
        }
    }
}
