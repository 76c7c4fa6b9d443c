package org.exsockets.nio.transport;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.socket.ChosenBuffers;
import org.exsockets.socket.ExsConnection;

/**
 * The options of a channel. Its TCP side has them all, or keeps them until there is one; the connection over EXS gets
 * those that change what it does.
 *
 * <p>Thread-safe. A thread that sets such an option first stores it, then looks for the connection. A thread that makes
 * the connection first publishes it, then looks here. So one of them passes the option on.
 */
public final class ChannelOptions {
    private final ChannelTcp tcp;
    private final TransportDecision decision;

    /** SO_OOBINLINE, as the program has set it. */
    private volatile boolean urgentInline;

    private final ChosenBuffers buffers = new ChosenBuffers();

    /** The options of the channel with this TCP side and this decision. */
    public ChannelOptions(ChannelTcp tcp, TransportDecision decision) {
        this.tcp = tcp;
        this.decision = decision;
    }

    /** For a new channel: the options from its listener. */
    public void inherit(InheritedOptions inherited) {
        tcp.inherit(inherited);
        buffers.inherit(inherited);
    }

    /** A connection has been made, and published if other threads know the channel. */
    void applyTo(ExsConnection made) {
        if (urgentInline) {
            made.setUrgentInline(true);
        }
        buffers.applyTo(made);
    }

    /** As {@link SocketChannel#setOption}. */
    public <T> void set(SocketOption<T> name, T value) throws IOException {
        Objects.requireNonNull(name);
        if (!keep(name, value)) {
            tcp.get().setOption(name, value); // Closed with the channel: it throws the right exceptions.
        }
        if (name.equals(StandardSocketOptions.SO_LINGER)) {
            tcp.setLingers();
        }
        if (value instanceof Boolean inline && name.name().equals("SO_OOBINLINE")) {
            takeUrgentInline(inline);
        }
        takeBuffer(name, value);
    }

    /** {@return whether the option is kept until there is a channel of the JDK} */
    public boolean keep(SocketOption<?> name, Object value) {
        return tcp.orNull() == null && tcp.keep(before -> before.keeping(name, value));
    }

    /** The adaptor has set SO_OOBINLINE on the TCP side. */
    public void takeUrgentInline(boolean inline) {
        urgentInline = inline;
        ExsConnection exs = decision.connection();
        if (exs != null) {
            exs.setUrgentInline(inline);
        }
    }

    /** As {@link #takeUrgentInline}, for SO_RCVBUF and SO_SNDBUF; other options are ignored. */
    public void takeBuffer(SocketOption<?> name, Object value) {
        if (buffers.choose(name, value)) {
            buffers.applyTo(decision.connection());
        }
    }

    /** As {@link SocketChannel#getOption}. */
    public <T> T get(SocketOption<T> name) throws IOException {
        Objects.requireNonNull(name);
        T known = known(name);
        return known != null ? known : tcp.get().getOption(name);
    }

    /** {@return the option's value if it is known without a channel of the JDK; otherwise null} */
    @SuppressWarnings("unchecked")
    public <T> T known(SocketOption<T> name) {
        return (T) tcp.known(name);
    }

    /** As {@link SocketChannel#supportedOptions}. */
    public Set<SocketOption<?>> supported() {
        SocketChannel known = tcp.orNull();
        return known != null ? known.supportedOptions() : SupportedOptions.ofSocket();
    }
}
