package org.exsockets.net;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SelectableChannel;
import org.exsockets.config.Face;
import org.exsockets.rendezvous.LocalBinding;
import org.exsockets.rendezvous.Rendezvous;
import org.junit.jupiter.api.Test;

/** A listener that is closed by another thread. */
class ListeningSideTest {
    private static final LocalBinding UNBOUND = new LocalBinding() {
        @Override
        public InetSocketAddress bound() {
            return null;
        }

        @Override
        public InetSocketAddress bind() {
            throw new AssertionError("an adapter wants a port");
        }
    };

    /** Closes its owner when the devices listen and the owner does not know that yet. */
    private static final class Closing implements PlainSockets.PlainListener {
        private final PlainSockets.PlainListener behind = PlainSockets.CHANNELS.listener(null);
        private Thread closer;
        private InetSocketAddress address;

        Closing() throws IOException {}

        @Override
        public ServerSocket socket() {
            return behind.socket();
        }

        @Override
        public SelectableChannel selectable() throws IOException {
            address = (InetSocketAddress) socket().getLocalSocketAddress();
            SelectableChannel selectable = behind.selectable();
            closer.start();
            while (closer.getState() == Thread.State.NEW || closer.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            return selectable;
        }

        @Override
        public Socket tryAccept() throws IOException {
            return behind.tryAccept();
        }

        @Override
        public Socket accept() throws IOException {
            return behind.accept();
        }
    }

    @Test
    void whoIsClosedWhileItBindsListensNowhere() throws Exception {
        Closing listener = new Closing();
        ListeningSide side = new ListeningSide(listener);
        listener.closer = new Thread(() -> close(side));
        side.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        side.listen(1);
        listener.closer.join();
        assertTrue(listener.socket().isClosed());
        assertNull(Rendezvous.get().tryConnect(listener.address, 0, UNBOUND, Face.NET));
        assertThrows(SocketException.class, () -> side.listen(1));
    }

    private static void close(ListeningSide side) {
        try {
            side.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
