package org.exsockets.compat.contract;

import java.io.IOException;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.junit.jupiter.api.BeforeEach;

/** What contracts about the ES-API have in common: a queue that ends with the test, connections, and memory. */
abstract class EsContract extends Contract {
    EsHost host;

    /** A connection between a STREAM socket of the API here and a channel in the peer process. */
    record EsLink(ExsSocket local, PeerSocket remote) {}

    @BeforeEach
    void createQueue() throws IOException {
        host = closing(new EsHost());
    }

    final EsLink connected() throws Exception {
        return connected(host);
    }

    final EsLink connected(EsHost connecting) throws Exception {
        PeerListener listener = listener(Face.NIO);
        PeerSocket remote = listener.accept();
        ExsSocket local = closing(connecting.connect(SocketType.STREAM, testAddress(listener.port())));
        closing(remote::close);
        return new EsLink(local, remote.awaitOpen());
    }

    final ExsServerSocket listening(SocketType type) throws IOException {
        return closing(ExsServerSocket.listen(type, testAddress(0), 0));
    }

    static ExsMemory pattern(long position, int length) throws IOException {
        ExsMemory memory = ExsMemory.allocate(Math.max(1, length));
        memory.buffer().put(Pattern.bytes(position, length));
        return memory;
    }
}
