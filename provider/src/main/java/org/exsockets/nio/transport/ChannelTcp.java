package org.exsockets.nio.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.exsockets.connection.TcpSide;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.nio.select.DescriptorSource;
import org.exsockets.nio.select.ExsKey;
import org.exsockets.nio.select.KeySource;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.InheritedOptions;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's channel behind one of ours, made when first needed. It has all options, which are kept until there is one;
 * the connection over EXS gets those that change what it does. Any thread.
 */
public final class ChannelTcp extends TcpSide<SocketChannel> {
    private final SocketChannel channel;

    /** Of the addresses that the program may bind or connect to; null: any. */
    private final @Nullable ProtocolFamily family;

    /** The mode of a channel that is made later. */
    @GuardedBy("lock")
    private boolean blocking = true;

    /** The program has not shut the output, but {@link #endOutput} has. */
    private volatile boolean outputEnded;

    public ChannelTcp(SocketChannel channel, @Nullable ProtocolFamily family) {
        this.channel = channel;
        this.family = family;
    }

    @Override
    protected boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    @GuardedBy("lock")
    protected SocketChannel make(InheritedOptions options) throws IOException {
        SocketChannel made = JdkChannels.openSocketChannel(family);
        try {
            made.configureBlocking(blocking);
            options.applyTo(made::setOption);
            return made;
        } catch (IOException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    /** {@return whether the channel's family permits a connect to {@code remote}, which is resolved} */
    boolean permits(InetSocketAddress remote) {
        boolean ipv4 = family == StandardProtocolFamily.INET || family == null && !Ipv6.dualStack();
        return !ipv4 || remote.getAddress() instanceof Inet4Address;
    }

    @Override
    protected SocketChannel closed() throws IOException {
        return SupportedOptions.closedChannel();
    }

    /** As {@link SocketChannel#configureBlocking}, for the present channel or one that is made later. */
    public void configureBlocking(boolean block) throws IOException {
        synchronized (lock) {
            if (orNull() == null) {
                blocking = block;
                return;
            }
        }
        get().configureBlocking(block);
    }

    public <T> void setOption(SocketOption<T> name, T value) throws IOException {
        if (!keep(Objects.requireNonNull(name), value)) {
            get().setOption(name, value); // Closed with the channel: it throws the right exceptions.
        }
        chosen.choose(name, value);
    }

    public <T> T getOption(SocketOption<T> name) throws IOException {
        T known = known(Objects.requireNonNull(name));
        return known != null ? known : get().getOption(name);
    }

    public Set<SocketOption<?>> supportedOptions() {
        SocketChannel known = orNull();
        return known != null ? known.supportedOptions() : SupportedOptions.ofSocket();
    }

    /**
     * {@return {@code e}, for the caller to throw} Closes our channel if the JDK's has closed itself, as it does when a
     * connect fails or its thread is interrupted.
     */
    public IOException closedWith(IOException e) throws IOException {
        SocketChannel known = orNull();
        if (known != null && !known.isOpen() && channel.isOpen()) {
            channel.close();
        }
        return e;
    }

    /** As {@link FileChannel#transferTo}: the JDK's channel is the target, for its sendfile. */
    public long sendFile(FileChannel file, long position, long count) throws IOException {
        try {
            return file.transferTo(position, count, get());
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    /** As {@link Socket#sendUrgentData}, on a connected channel. */
    public void sendUrgentData(int data) throws IOException {
        try {
            get().socket().sendUrgentData(data);
        } catch (IOException e) {
            throw closedWith(e);
        }
    }

    /**
     * Ends the output as the JDK does when a registered channel is closed, unless SO_LINGER is 0. The JDK's channel
     * behind ours would not: it is registered only at the next selection.
     *
     * @param known the JDK's channel, which is connected
     */
    public void endOutput(SocketChannel known) throws IOException {
        int lingerSeconds = chosen.lingerSeconds();
        if (lingerSeconds == 0) {
            return;
        }
        if (lingerSeconds > 0) {
            known.setOption(StandardSocketOptions.SO_LINGER, -1);
        }
        outputEnded = !known.socket().isOutputShutdown();
        try {
            known.shutdownOutput();
        } catch (IOException peerIsGone) {
            Log.debug("end of the output of " + known + ": " + peerIsGone);
        }
    }

    /** {@return whether the program has shut the output} @param adaptor of the JDK's channel */
    public boolean isOutputShut(Socket adaptor) {
        return adaptor.isOutputShutdown() && !outputEnded;
    }

    /** {@return a source of readiness for a key; null if none is needed yet, or no descriptor is available} */
    public @Nullable KeySource source(ExsKey key) {
        if (orNull() == null && key.selectedFor() == 0) {
            return null;
        }
        try {
            return new DescriptorSource(get(), false);
        } catch (IOException e) {
            Log.warnOnce("unselectable", "a channel that is not connected cannot be selected: " + e.getMessage());
            return null;
        }
    }
}
