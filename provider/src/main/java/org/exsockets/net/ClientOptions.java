package org.exsockets.net;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Set;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.socket.ChosenBuffers;
import org.exsockets.socket.ExsConnection;

/**
 * The options of a client. Its TCP side has them all, or keeps them until there is one; the connection over EXS gets
 * those that change what it does.
 *
 * <p>Thread-safe. A thread that sets such an option first stores it, then looks for the connection. A thread that makes
 * the connection first publishes it, then looks here. So one of them passes the option on.
 */
final class ClientOptions {
    /**
     * The options of all clients, written by any of them. Null until one is created. Kept because a closed client
     * cannot find them out, nor can its implementation be used again (JDK 25).
     */
    private static volatile Set<SocketOption<?>> ofAll;

    private final ExsSocketImpl impl;
    private final ImplTcp tcp;

    /** SO_OOBINLINE, as the program has set it. */
    private volatile boolean urgentInline;

    private final ChosenBuffers buffers = new ChosenBuffers();

    ClientOptions(ExsSocketImpl impl, ImplTcp tcp) {
        this.impl = impl;
        this.tcp = tcp;
    }

    /** A client is created: its options are those of all. */
    void create() throws IOException {
        if (ofAll == null) {
            ofAll = tcp.get().supportedOptions();
        }
    }

    /** Before the client is connected: the options from its listener. */
    void inherit(InheritedOptions inherited) {
        tcp.inherit(inherited);
        buffers.inherit(inherited);
    }

    /** A connection has been made and published. */
    void applyTo(ExsConnection made) {
        if (urgentInline) {
            made.setUrgentInline(true);
        }
        buffers.applyTo(made);
    }

    /** {@return the options that the client supports; none if there is no descriptor to find out} */
    Set<SocketOption<?>> supported() {
        Set<SocketOption<?>> known = ofAll;
        if (known != null) {
            return known;
        }
        try {
            return impl.isOpen() ? tcp.get().supportedOptions() : ofAnother();
        } catch (IOException noDescriptors) {
            return Set.of();
        }
    }

    /** {@return the options for a closed socket that was accepted over EXS, if no client was ever created} */
    private Set<SocketOption<?>> ofAnother() throws IOException {
        try (Socket open = impl.newPlain()) {
            return open.supportedOptions();
        }
    }

    <T> void set(SocketOption<T> name, T value) throws IOException {
        if (!tcp.keep(before -> before.keeping(name, value))) {
            tcp.get().setOption(name, value);
            if (name.equals(StandardSocketOptions.SO_LINGER)) {
                tcp.setLingers();
            }
        }
        takeBuffer(name, value);
    }

    /** @param id of {@link SocketOptions} */
    void set(int id, Object value) throws IOException {
        boolean kept = tcp.keep(before -> NumberedOptions.keeping(before, id, value));
        if (!kept && (id != SocketOptions.SO_TIMEOUT || tcp.orNull() != null)) {
            NumberedOptions.set(tcp.get(), id, value);
            if (id == SocketOptions.SO_LINGER) {
                tcp.setLingers();
            }
        }
        if (id == SocketOptions.SO_OOBINLINE) {
            takeUrgentInline((Boolean) value);
        } else if (id == SocketOptions.SO_RCVBUF) {
            takeBuffer(StandardSocketOptions.SO_RCVBUF, value);
        } else if (id == SocketOptions.SO_SNDBUF) {
            takeBuffer(StandardSocketOptions.SO_SNDBUF, value);
        }
    }

    private void takeUrgentInline(boolean inline) {
        urgentInline = inline;
        ExsConnection exs = impl.connection();
        if (exs != null) {
            exs.setUrgentInline(inline);
        }
    }

    /** As {@link #takeUrgentInline}, for SO_RCVBUF and SO_SNDBUF; other options are ignored. */
    private void takeBuffer(SocketOption<?> name, Object value) {
        if (buffers.choose(name, value)) {
            buffers.applyTo(impl.connection());
        }
    }

    <T> T get(SocketOption<T> name) throws IOException {
        @SuppressWarnings("unchecked")
        T known = (T) tcp.known(name);
        return known != null ? known : tcp.get().getOption(name);
    }

    /** @param id of {@link SocketOptions} */
    Object get(int id) throws IOException {
        SocketOption<?> name = NumberedOptions.keepable(id);
        Object known = name == null ? null : tcp.known(name);
        return known != null ? known : NumberedOptions.get(tcp.get(), id);
    }
}
