package org.exsockets.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.rendezvous.TcpSide;

/**
 * The plain socket behind the implementation of a client; made when first needed. It has the local address of
 * connections over EXS, too. Any thread.
 */
final class ImplTcp extends TcpSide<Socket> implements Rendezvous.LocalBinding {
    private final ExsSocketImpl impl;
    private final ImplStreams streams;

    /** The program has set SO_LINGER at least once; the plain socket has its value. Never reset. */
    private volatile boolean lingers;

    /** @param streams know SO_TIMEOUT */
    ImplTcp(ExsSocketImpl impl, ImplStreams streams) {
        this.impl = impl;
        this.streams = streams;
    }

    @Override
    protected boolean isOpen() {
        return impl.isOpen();
    }

    @Override
    protected Socket make(InheritedOptions options) throws IOException {
        Socket made = impl.newPlain();
        options.applyTo(new InheritedOptions.Target() {
            @Override
            public void set(SocketOption<Object> name, Object value) throws IOException {
                made.setOption(name, value);
            }
        });
        if (streams.timeoutMs() != 0) {
            made.setSoTimeout(streams.timeoutMs());
        }
        impl.alsoHolds(made);
        return made;
    }

    @Override
    protected Socket closed() throws SocketException {
        throw new SocketException("Socket closed");
    }

    @Override
    public InetSocketAddress bound() {
        Socket plain = orNull();
        return plain == null ? null : (InetSocketAddress) plain.getLocalSocketAddress();
    }

    @Override
    public InetSocketAddress bind() throws IOException {
        if (bound() == null) {
            get().bind(null);
        }
        return bound();
    }

    /** SO_LINGER has been set. */
    void setLingers() {
        lingers = true;
    }

    /**
     * {@return SO_LINGER in seconds; −1: off}
     *
     * @param plain the socket; null: there is none
     */
    int lingerSeconds(Socket plain) throws SocketException {
        return lingers && plain != null && !plain.isClosed() ? plain.getSoLinger() : -1;
    }
}
