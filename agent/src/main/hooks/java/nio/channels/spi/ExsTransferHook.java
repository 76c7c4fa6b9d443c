package java.nio.channels.spi;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;

/**
 * What the platform's file channels, and the streams of {@code java.nio.channels.Channels}, call once the agent has
 * woven them: they know fast ways for the platform's own socket channels only.
 *
 * <p>Defined into java.base by the agent; does nothing until {@link #channels} is set, which happens at most once. Public
 * only because the platform's channels live in another package.
 */
public final class ExsTransferHook {
    /** The class of the channels concerned; stored after the handles, which whoever finds it set may therefore use. */
    static volatile Class<?> channels;

    /** {@code (FileChannel, long position, long count, WritableByteChannel) long}. */
    static MethodHandle transferTo;

    /** {@code (ReadableByteChannel, FileChannel, long position, long count) long}. */
    static MethodHandle transferFrom;

    private ExsTransferHook() {}

    /** {@return whether the other methods are to be called for this channel} */
    public static boolean concerns(Object channel) {
        return channel != null && channel.getClass() == channels;
    }

    /** Instead of the platform's loop over a small array; the platform has checked everything. */
    public static long transferTo(FileChannel file, long position, long count, WritableByteChannel target)
            throws IOException {
        try {
            return (long) transferTo.invokeExact(file, position, count, target);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Instead of the platform's loop over a small array; the platform has checked everything. */
    public static long transferFrom(ReadableByteChannel source, FileChannel file, long position, long count)
            throws IOException {
        try {
            return (long) transferFrom.invokeExact(source, file, position, count);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** For a stream over the channel: without the channel's blocking lock, under which a read would hold up writes. */
    public static int read(ReadableByteChannel source, ByteBuffer target) throws IOException {
        SocketChannel channel = (SocketChannel) source;
        ensureBlocking(channel);
        return channel.read(target);
    }

    /** For a stream over the channel: what its adaptor's stream says, which for the platform's channels is the same. */
    public static int available(ReadableByteChannel source) throws IOException {
        SocketChannel channel = (SocketChannel) source;
        Socket adaptor = channel.socket();
        try {
            return adaptor.getInputStream().available();
        } catch (SocketException refused) { // Where the platform's stream has other words.
            ensureReadable(channel);
            if (adaptor.isInputShutdown()) {
                return 0;
            }
            throw refused;
        }
    }

    private static void ensureReadable(SocketChannel channel) throws ClosedChannelException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!channel.isConnected()) {
            throw new NotYetConnectedException();
        }
    }

    /** As {@link #read}, the other way. */
    public static void write(WritableByteChannel target, byte[] source, int offset, int length) throws IOException {
        SocketChannel channel = (SocketChannel) target;
        ByteBuffer rest = ByteBuffer.wrap(source, offset, length);
        while (rest.hasRemaining()) {
            ensureBlocking(channel);
            channel.write(rest);
        }
    }

    private static void ensureBlocking(SocketChannel channel) {
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }
}
