package org.exsockets.verbs.disni.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.memory.OwnBuffers;
import org.exsockets.observe.Log;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.disni.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * A channel of the JDK's own that the device's thread makes readable: a device's completion channel serves all its
 * connections, and a JDK selector cannot wait for it. A byte means an event, end of file the end of the connection. The
 * threads of a connection sleep on its {@link DisniWakeWord} instead. Thread-safe.
 */
public final class Bell implements CompletionChannel {
    private static final int DRAIN_BYTES = 16;

    /**
     * What all bells write from and read into: its content does not matter. Made with the first one, because a class whose
     * initialiser has found no memory stays broken. Of two at the same time, each may make one, and the last one stays.
     */
    private static volatile @Nullable ByteBuffer bytes;

    private final Pipe pipe;

    /** An event that {@link #drain} has not returned yet; set before the byte is written. */
    private final AtomicBoolean event = new AtomicBoolean();

    /** A thread has armed the channel, and no event has come since. */
    private volatile boolean wanted;

    private final long wakeUpNs;
    private volatile boolean hungUp;

    /** Null: there is none, or the connection is over, and the memory may be given back. Cleared under {@link #sinkLock}. */
    private volatile @Nullable DisniWakeWord word;

    /** Guards writing against closing. */
    private final Object sinkLock = new Object();

    @GuardedBy("sinkLock")
    private final ByteBuffer bell = bytes().slice(0, 1);

    /** Read into; its position is guarded by its monitor. */
    private final ByteBuffer taken = bytes().duplicate();

    /**
     * @param wakeUpNs what sleeping on it costs
     * @throws IOException if there are no descriptors left
     * @throws OutOfMemoryError if it is the first one, and there is no direct memory
     */
    public Bell(long wakeUpNs) throws IOException {
        this.wakeUpNs = wakeUpNs;
        pipe = JdkChannels.provider().openPipe();
        pipe.source().configureBlocking(false);
        pipe.sink().configureBlocking(false);
    }

    /** {@return a bell} As the constructor, but a lack of descriptors is an error of the device, as others are. */
    public static Bell open(long wakeUpNs) throws VerbsException {
        try {
            return new Bell(wakeUpNs);
        } catch (IOException e) {
            throw new VerbsException("pipe", VerbsException.EMFILE, String.valueOf(e.getMessage()));
        }
    }

    private static ByteBuffer bytes() {
        ByteBuffer known = bytes;
        if (known == null) {
            known = OwnBuffers.allocate(DRAIN_BYTES);
            bytes = known;
        }
        return known;
    }

    @Override
    public SelectableChannel selectable() {
        return pipe.source();
    }

    @Override
    public long wakeUpNs() {
        return wakeUpNs;
    }

    /** From now on the end of the connection ends sleeps on the word, too, and {@link #onEvent} wakes them. */
    void wakes(@Nullable DisniWakeWord sleepers) {
        word = sleepers;
    }

    /** A thread is about to arm: the next event is to be signalled. */
    void want() {
        wanted = true;
    }

    /** Device thread: signals an event of the queue to those who have armed, where they have. */
    public void onEvent() {
        DisniWakeWord sleepers = word;
        if (sleepers != null) {
            sleepers.wakeIfArmed();
        }
        if (wanted) {
            wanted = false;
            ring();
        }
    }

    /** Signals an event. Several before a {@link #drain} are one. */
    public void ring() {
        if (hungUp || !event.compareAndSet(false, true)) {
            return;
        }
        synchronized (sinkLock) {
            if (pipe.sink().isOpen()) {
                write();
            }
        }
    }

    @GuardedBy("sinkLock")
    private void write() {
        try {
            pipe.sink().write(bell.clear());
        } catch (IOException e) {
            Log.debug("bell: " + e);
        }
    }

    /** Signals the end of the connection: readable for ever. */
    public void hangUp() {
        hungUp = true; // Before the word is cleared: who arms later sees it.
        synchronized (sinkLock) {
            DisniWakeWord sleepers = word;
            if (sleepers != null) {
                word = null;
                sleepers.wake();
            }
            try {
                pipe.sink().close();
            } catch (IOException e) {
                Log.debug("bell: " + e);
            }
        }
    }

    @Override
    public boolean isHungUp() {
        return hungUp;
    }

    @Override
    public int drain() {
        int bits = hungUp ? HANGUP : 0;
        if (!event.get()) {
            return bits; // No byte has been written.
        }
        synchronized (taken) {
            if (pipe.source().isOpen()) {
                empty();
            }
        }
        // After the bytes: a ring in between writes another byte.
        return event.getAndSet(false) ? bits | EVENT : bits;
    }

    private void empty() {
        try {
            while (pipe.source().read(taken.clear()) == DRAIN_BYTES) {
                // Until it is empty.
            }
        } catch (IOException closedMeanwhile) {
            Log.debug("bell: " + closedMeanwhile);
        }
    }

    public void close() {
        hangUp();
        try {
            pipe.source().close();
        } catch (IOException e) {
            Log.debug("bell: " + e);
        }
    }
}
