package org.exsockets.net;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.UnknownHostException;
import java.nio.channels.SelectableChannel;
import java.security.PrivilegedAction;
import org.exsockets.jdk.DescriptorChannels;
import org.exsockets.jdk.InsideJdk;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.rendezvous.Acceptor;
import org.jspecify.annotations.Nullable;

/** Makes plain TCP sockets of the JDK, without EXS, for the TCP side of connections and listeners. Thread-safe. */
enum PlainSockets {
    /** Over channels of the JDK's provider: nothing else is available without the agent. */
    CHANNELS,

    /** Over implementations the platform has just created. */
    PLATFORM;

    /** {@return an unconnected socket; {@code platform} is null where there is none} */
    Socket socket(@Nullable SocketImpl platform) throws IOException {
        return this == CHANNELS ? JdkChannels.openSocketChannel(null).socket() : PlatformSocket.over(platform);
    }

    /** {@return a connected UDP socket; only before JDK 25} */
    @SuppressWarnings("deprecation") // What the program has called.
    Socket datagrams(InetSocketAddress remote) throws IOException {
        if (this == CHANNELS) {
            throw new IOException("Datagram socket not supported");
        }
        if (remote.isUnresolved()) {
            throw new UnknownHostException(remote.getHostName());
        }
        return Bypass.call(() -> new Socket(remote.getAddress(), remote.getPort(), false));
    }

    /** {@return the descriptor of a connected or accepted socket; null without the agent, where nobody can look} */
    @Nullable
    FileDescriptor descriptor(Socket plain) {
        return this == CHANNELS ? null : Fields.descriptor(Fields.implementation(plain));
    }

    PlainListener listener(@Nullable SocketImpl platform) throws IOException {
        return this == CHANNELS ? new ChannelListener() : PlatformListener.over(platform);
    }

    /** A TCP listener that an accept can wait for together with a device's. */
    interface PlainListener extends Acceptor.TcpAccept<Socket> {
        ServerSocket socket();

        /** {@return a non-blocking view, readable or acceptable while connections wait; after bind} */
        SelectableChannel selectable() throws IOException;
    }

    /** A socket over an implementation of the platform; null: one that it gets from {@code implAccept}. */
    private static final class PlatformSocket extends Socket {
        PlatformSocket(@Nullable SocketImpl platform) throws SocketException {
            super(platform);
        }

        /** {@return one for which the program needs no permission, though it is given an implementation} */
        static PlatformSocket over(@Nullable SocketImpl platform) {
            return SecurityManagers.present() ? SecurityManagers.privileged(() -> make(platform)) : make(platform);
        }

        private static PlatformSocket make(@Nullable SocketImpl platform) {
            try {
                return new PlatformSocket(platform);
            } catch (SocketException neverThrown) {
                throw new IllegalStateException(neverThrown);
            }
        }
    }

    /** Fields of {@code java.net}, which the agent opens. Null where they cannot be read, as without memory. */
    private static final class Fields {
        private static final @Nullable MethodHandle IMPLEMENTATION =
                getter(Socket.class, InsideJdk.IMPLEMENTATIONS.member(0), SocketImpl.class);
        private static final @Nullable MethodHandle DESCRIPTOR = getter(SocketImpl.class, "fd", FileDescriptor.class);

        private Fields() {}

        private static @Nullable MethodHandle getter(Class<?> of, String name, Class<?> type) {
            return SecurityManagers.present()
                    ? SecurityManagers.privileged((PrivilegedAction<@Nullable MethodHandle>) () -> find(of, name, type))
                    : find(of, name, type);
        }

        private static @Nullable MethodHandle find(Class<?> of, String name, Class<?> type) {
            try {
                return MethodHandles.privateLookupIn(of, MethodHandles.lookup()).findGetter(of, name, type);
            } catch (ReflectiveOperationException notOpen) {
                return null;
            }
        }

        @SuppressWarnings("NullAway") // As with other failures.
        static @Nullable SocketImpl implementation(Socket socket) {
            try {
                return (SocketImpl) IMPLEMENTATION.invokeExact(socket);
            } catch (Throwable e) {
                return null;
            }
        }

        @SuppressWarnings("NullAway") // As with other failures.
        static @Nullable FileDescriptor descriptor(@Nullable SocketImpl implementation) {
            try {
                return (FileDescriptor) DESCRIPTOR.invokeExact(implementation);
            } catch (Throwable e) {
                return null;
            }
        }
    }

    private static final class ChannelListener implements PlainListener {
        private final java.nio.channels.ServerSocketChannel channel = JdkChannels.openServerSocketChannel(null);

        ChannelListener() throws IOException {}

        @Override
        public ServerSocket socket() {
            return channel.socket();
        }

        @Override
        public SelectableChannel selectable() throws IOException {
            channel.configureBlocking(false);
            return channel;
        }

        @Override
        public @Nullable Socket tryAccept() throws IOException {
            var accepted = channel.accept();
            return accepted == null ? null : accepted.socket();
        }
    }

    /** A server socket over an implementation of the platform, accepting into implementations of the platform. */
    private static final class PlatformListener extends ServerSocket implements PlainListener {
        private final @Nullable SocketImpl platform;

        private PlatformListener(@Nullable SocketImpl platform) {
            super(platform);
            this.platform = platform;
        }

        /** As {@link PlatformSocket#over}. */
        static PlatformListener over(@Nullable SocketImpl platform) {
            return SecurityManagers.present()
                    ? SecurityManagers.privileged(() -> new PlatformListener(platform))
                    : new PlatformListener(platform);
        }

        @Override
        public ServerSocket socket() {
            return this;
        }

        @Override
        public SelectableChannel selectable() throws IOException {
            FileDescriptor descriptor = Fields.descriptor(platform);
            if (descriptor == null) {
                throw new IOException("listener: no access to its descriptor");
            }
            return DescriptorChannels.view(descriptor);
        }

        @Override
        public @Nullable Socket tryAccept() throws IOException {
            // Costs a millisecond if another process has taken the connection.
            int timeoutMs = getSoTimeout();
            setSoTimeout(1);
            try {
                return accept();
            } catch (java.net.SocketTimeoutException gone) {
                return null;
            } finally {
                if (!isClosed()) {
                    setSoTimeout(timeoutMs);
                }
            }
        }

        @Override
        public Socket accept() throws IOException {
            return Bypass.call(
                    new Bypass.Call<Socket>() { // No lambda: without memory its linkage is an InternalError.
                        @Override
                        public Socket call() throws IOException {
                            Socket accepted = new PlatformSocket(null);
                            implAccept(accepted);
                            return accepted;
                        }
                    });
        }
    }
}
