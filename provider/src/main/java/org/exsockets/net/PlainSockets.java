package org.exsockets.net;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.UnknownHostException;
import java.nio.channels.SelectableChannel;
import org.exsockets.jdk.DescriptorChannels;
import org.exsockets.jdk.JdkChannels;
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
        return this == CHANNELS ? JdkChannels.openSocketChannel(null).socket() : new PlatformSocket(platform);
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

    PlainListener listener(@Nullable SocketImpl platform) throws IOException {
        return this == CHANNELS ? new ChannelListener() : new PlatformListener(platform);
    }

    /** A TCP listener that an accept can wait for together with a device's. */
    interface PlainListener extends Acceptor.TcpAccept<Socket> {
        ServerSocket socket();

        /** {@return a non-blocking view, readable or acceptable while connections wait; after bind} */
        SelectableChannel selectable() throws IOException;

        /** Accepts as the plain socket does, with its time-out. */
        Socket accept() throws IOException;
    }

    /** A socket over an implementation of the platform; null: one that it gets from {@code implAccept}. */
    private static final class PlatformSocket extends Socket {
        PlatformSocket(@Nullable SocketImpl platform) throws IOException {
            super(platform);
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

        @Override
        public Socket accept() throws IOException {
            return channel.socket().accept();
        }
    }

    /** A server socket over an implementation of the platform, accepting into implementations of the platform. */
    private static final class PlatformListener extends ServerSocket implements PlainListener {
        private static final @Nullable MethodHandle DESCRIPTOR = descriptorGetter();

        private final @Nullable SocketImpl platform;
        private @Nullable SelectableChannel selectable;

        PlatformListener(@Nullable SocketImpl platform) {
            super(platform);
            this.platform = platform;
        }

        private static @Nullable MethodHandle descriptorGetter() {
            try {
                return MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup())
                        .findGetter(SocketImpl.class, "fd", FileDescriptor.class);
            } catch (ReflectiveOperationException notOpen) {
                return null;
            }
        }

        @Override
        public ServerSocket socket() {
            return this;
        }

        @Override
        @SuppressWarnings("NullAway") // Without the getter there is no access, either.
        public SelectableChannel selectable() throws IOException {
            if (selectable == null) {
                FileDescriptor descriptor;
                try {
                    descriptor = (FileDescriptor) DESCRIPTOR.invoke(platform);
                } catch (Throwable e) {
                    throw new IOException("listener: no access to its descriptor", e);
                }
                selectable = DescriptorChannels.view(descriptor);
            }
            return selectable;
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
