package org.exsockets.verbs.soft;

import java.nio.channels.SelectableChannel;
import java.util.function.IntConsumer;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.CompletionChannel;

/**
 * One end of a Unix-domain socket as completion channel: a byte is an event, end of file is the peer's end. A full
 * socket has woken the peer already. Memory that the peer shares comes with bytes, too. Thread-safe.
 */
final class Doorbell implements CompletionChannel {
    /** The peer's wake-up and one's own, with their system calls: 11 µs each on the word of the segment, some more on the socket. */
    private static final long WAKE_UP_NS = 30_000;

    /** More than a peer that keeps to the rules has anything in; another one must not keep us here. */
    private static final int LOOKS = 8;

    private final LocalSocket socket;

    /** Null: descriptors are closed. Set before anybody else knows this object. */
    private IntConsumer onPassed;

    private volatile boolean hungUp;

    Doorbell(LocalSocket socket) {
        this.socket = socket;
    }

    /** @param action takes a descriptor that the peer has passed, which is its own then; must not block */
    void onPassed(IntConsumer action) {
        onPassed = action;
    }

    @Override
    public SelectableChannel selectable() {
        return socket.selectable();
    }

    @Override
    public long wakeUpNs() {
        return WAKE_UP_NS;
    }

    /** Wakes the peer. A peer that is gone is noticed by {@link #drain()}. */
    void ring() {
        if (!socket.ring()) {
            hungUp = true;
        }
    }

    /** Passes the peer a descriptor. {@return whether it will find it} */
    boolean pass(int descriptor) {
        return socket.pass(descriptor);
    }

    @Override
    public int drain() {
        if (hungUp) {
            return HANGUP;
        }
        int events = 0;
        // Once: a peer that writes without end would keep us here. What is left keeps the channel readable.
        long drained = socket.drain();
        if (drained == 0) {
            hungUp = true;
        } else if (drained > 0) {
            events = (int) drained > 1 ? EVENT : 0;
            take((int) (drained >>> Integer.SIZE) - 1);
        }
        return hungUp ? events | HANGUP : events;
    }

    private void take(int descriptor) {
        if (descriptor < 0) {
            return;
        }
        if (onPassed == null) {
            NativeMemory.close(descriptor);
        } else {
            onPassed.accept(descriptor);
        }
    }

    /** Ends the connection: the peer sees end of file at once. The socket stays open for {@link #isAbandoned}. */
    void end() {
        hungUp = true;
        socket.shutdownOutput();
    }

    /** {@return whether the other end has been closed; for a connection that waits to be accepted, the listener's} Follows {@link #end}. */
    boolean isAbandoned() {
        long drained = socket.drain();
        take((int) (drained >> Integer.SIZE) - 1);
        return drained == 0;
    }

    /** Tells the peer something that is no event: for who waits for a first word. */
    void answer() {
        socket.pass(DescriptorPoll.NONE);
    }

    /** Takes what the peer has passed so far. Events stay. */
    void takePassed() {
        boolean more = true;
        for (int looks = 0; more && looks < LOOKS; looks++) {
            long passed = socket.takePassed();
            take((int) (passed >> Integer.SIZE) - 1);
            more = passed > 0 && (int) passed == 1;
        }
    }

    /** Gives back the descriptor. Follows {@link #end}. */
    void close() {
        socket.close();
    }
}
