package org.exsockets.net;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import org.exsockets.connection.ExsConnection;
import org.exsockets.connection.PlainStreams;
import org.exsockets.connection.StreamOwner;
import org.exsockets.jdk.Threads;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a socket implementation: how long they wait and what they throw, by the rules of {@code java.net}. Any
 * thread; readers exclude each other, and so do writers, in {@link ExsConnection} or the plain socket.
 */
final class ImplStreams implements StreamOwner {
    /** A read has the time-out of the moment of its call, and its time begins then, not with its turn (JDK-8358496). */
    private static final boolean TIMED_FROM_THE_CALL = Runtime.version().feature() >= 25;

    private final ExsSocketImpl impl;
    private volatile int timeoutMs;

    /** Both follow {@link #timeoutMs}, for the two kinds of threads. */
    private volatile Wait waitOfPlatformThreads = Wait.UNINTERRUPTIBLE;

    private volatile Wait waitOfVirtualThreads = Wait.INTERRUPTIBLE;

    ImplStreams(ExsSocketImpl impl) {
        this.impl = impl;
    }

    /** @param timeout SO_TIMEOUT, in milliseconds; 0: none */
    void setTimeout(int timeout) {
        timeoutMs = timeout;
        waitOfPlatformThreads = Wait.ofTimeout(timeout, false);
        waitOfVirtualThreads = Wait.ofTimeout(timeout, true);
    }

    /** {@return SO_TIMEOUT, in milliseconds} */
    int timeoutMs() {
        return timeoutMs;
    }

    @Override
    public void ensureOpen() throws IOException {
        impl.ensureOpen();
    }

    @Override
    public Wait readWait() throws IOException {
        impl.ensureOpen();
        return readWaitNow();
    }

    @Override
    public @Nullable Wait readWaitInTime() {
        return TIMED_FROM_THE_CALL ? readWaitNow() : null;
    }

    @Override
    public Wait writeWait() throws IOException {
        impl.ensureOpen();
        return Threads.currentIsVirtual() ? Wait.INTERRUPTIBLE : Wait.UNINTERRUPTIBLE;
    }

    /** As in the JDK, an interrupt ends the wait of virtual threads only; the socket then closes itself. */
    Wait readWaitNow() {
        return Threads.currentIsVirtual() ? waitOfVirtualThreads : waitOfPlatformThreads;
    }

    @Override
    public boolean reportsAgain() {
        return true;
    }

    @Override
    public SocketException closedBefore() {
        return closedMeanwhile();
    }

    @Override
    public SocketException closedMeanwhile() {
        return new SocketException("Socket closed");
    }

    @Override
    public SocketException outputShut(ExsConnection connection) {
        return asSocketException(connection.cannotSend()); // The JDK leaves this to the kernel.
    }

    @Override
    public SocketException writeFailed(IOException failure) {
        return asSocketException(failure);
    }

    @Override
    public IOException plainFailed(IOException failure) {
        return PlainStreams.isByInterrupt(failure) ? interrupted() : failure;
    }

    static SocketException asSocketException(IOException failure) {
        return failure instanceof SocketException known ? known : new SocketException(failure.getMessage());
    }

    @Override
    public IOException interrupted() {
        // Socket and ServerSocket of JDKs with virtual threads close themselves on this exception, and throw another.
        // The program gets this one, as the JDK's without a message, where a SOCKS proxy has kept it waiting.
        return new InterruptedIOException();
    }

    @Override
    public void close() throws IOException {
        impl.close();
    }
}
