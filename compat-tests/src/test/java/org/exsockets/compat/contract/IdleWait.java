package org.exsockets.compat.contract;

import java.util.concurrent.TimeUnit;
import org.exsockets.api.Event;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerProgram;
import org.exsockets.compat.harness.TestHost;

/**
 * Waits over a socket that has got something which no operation is there for, until the thread has been seen asleep.
 * Argument: {@code bytes} or {@code end} of a stream, or {@code packet}, which has come
 * before its connection was cut.
 */
public final class IdleWait implements PeerProgram {
    private static final int PACKET = 8 * ExsMemory.PAGE_BYTES;

    @Override
    public String run(String[] arguments) throws Exception {
        SocketType type = arguments[0].equals("packet") ? SocketType.SEQPACKET : SocketType.STREAM;
        try (EsHost host = new EsHost();
                EsHost there = new EsHost();
                ExsServerSocket listener = ExsServerSocket.listen(type, TestHost.address(0), 0);
                ExsSocket client = there.connect(type, listener.localAddress());
                ExsSocket server = host.accept(listener)) {
            switch (arguments[0]) {
                case "bytes" -> {
                    host.done(host.send(server, ExsMemory.allocate(1)));
                    there.done(there.send(client, ExsMemory.allocate(1)));
                }
                case "end" -> {
                    host.done(host.send(server, ExsMemory.allocate(1)));
                    client.shutdownOutput();
                }
                default -> {
                    host.send(server, ExsMemory.allocate(1));
                    try (EsHost doomed = new EsHost()) {
                        doomed.receive(server, ExsMemory.allocate(PACKET));
                        doomed.receive(server, ExsMemory.allocate(PACKET));
                        there.done(there.send(client, ExsMemory.allocate(PACKET)));
                    }
                    host.next();
                }
            }
            Background<Integer> waiting = Background.start(
                    () -> host.queue().dequeue(Event.array(1), Patience.NEVER_MS, TimeUnit.MILLISECONDS));
            waiting.awaitBlockedIn("select");
            host.queue().close();
            return "sleeps, and was told: " + waiting.thrown().getMessage();
        }
    }
}
