package org.exsockets.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Set;
import org.exsockets.connection.TcpSide;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.rendezvous.LocalBinding;
import org.jspecify.annotations.Nullable;

/**
 * The plain socket behind the implementation of a client, made when first needed. It has the local address of
 * connections over EXS, too, and all options, which are kept until there is one; the connection over EXS gets those
 * that change what it does. Any thread.
 */
final class ImplTcp extends TcpSide<Socket> implements LocalBinding {
    /**
     * The options of all clients, written by any of them. Null until one is created. Kept because a closed client
     * cannot find them out, nor can its implementation be used again (JDK 25).
     */
    private static volatile @Nullable Set<SocketOption<?>> optionsOfAll;

    private final ExsSocketImpl impl;
    private final ImplStreams streams;

    ImplTcp(ExsSocketImpl impl, ImplStreams streams) {
        this.impl = impl;
        this.streams = streams;
    }

    /** A client is created: its options are those of all. */
    void create() throws IOException {
        if (optionsOfAll == null) {
            optionsOfAll = get().supportedOptions();
        }
    }

    @Override
    protected boolean isOpen() {
        return impl.isOpen();
    }

    @Override
    protected Socket make(InheritedOptions options) throws IOException {
        Socket made = impl.newPlain();
        try {
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
        } catch (IOException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    @Override
    protected Socket closed() throws SocketException {
        throw new SocketException("Socket closed");
    }

    @Override
    public @Nullable InetSocketAddress bound() {
        Socket plain = orNull();
        return plain == null ? null : (InetSocketAddress) plain.getLocalSocketAddress();
    }

    @Override
    @SuppressWarnings("NullAway") // Bound by then.
    public InetSocketAddress bind() throws IOException {
        if (bound() == null) {
            get().bind(null);
        }
        return bound();
    }

    @Override
    public boolean isWanted() {
        return isOpen();
    }

    @Override
    public int trafficClass() throws IOException {
        Socket plain = orNull();
        return plain == null ? 0 : plain.getTrafficClass();
    }

    /** {@return the options that the client supports; none if there is no descriptor to find out} */
    Set<SocketOption<?>> supportedOptions() {
        Set<SocketOption<?>> known = optionsOfAll;
        if (known != null) {
            return known;
        }
        try {
            return isOpen() ? get().supportedOptions() : optionsOfAnother();
        } catch (IOException noDescriptors) {
            return Set.of();
        }
    }

    /** {@return the options for a closed socket that was accepted over EXS, if no client was ever created} */
    private Set<SocketOption<?>> optionsOfAnother() throws IOException {
        try (Socket open = impl.newPlain()) {
            return open.supportedOptions();
        }
    }

    <T> void setOption(SocketOption<T> name, T value) throws IOException {
        if (!keep(name, value)) {
            get().setOption(name, value);
        }
        chosen.choose(name, value);
    }

    void setOption(int id, Object value) throws IOException {
        SocketOption<?> name = NumberedOptions.standard(id);
        boolean kept = name != null && keep(name, value);
        if (!kept && (id != SocketOptions.SO_TIMEOUT || orNull() != null)) {
            NumberedOptions.set(get(), id, value);
        }
        if (id == SocketOptions.SO_OOBINLINE) {
            chosen.chooseUrgentInline((Boolean) value);
        } else if (id == SocketOptions.SO_LINGER) {
            chosen.choose(StandardSocketOptions.SO_LINGER, value);
        } else if (name != null) {
            chosen.choose(name, value);
        }
    }

    <T> T getOption(SocketOption<T> name) throws IOException {
        T known = known(name);
        return known != null ? known : get().getOption(name);
    }

    Object getOption(int id) throws IOException {
        SocketOption<?> name = NumberedOptions.standard(id);
        Object known = name == null ? null : known(name);
        return known != null ? known : NumberedOptions.get(get(), id);
    }
}
