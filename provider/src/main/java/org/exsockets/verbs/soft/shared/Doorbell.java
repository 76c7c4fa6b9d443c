package org.exsockets.verbs.soft.shared;

import java.nio.channels.SelectableChannel;
import java.util.function.IntConsumer;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.jspecify.annotations.Nullable;

/**
 * One end of a Unix-domain socket as completion channel: a byte is an event, end of file tells of the peer's end. A
 * full socket has woken the peer already. Descriptors of shared memory come with bytes, too. Thread-safe. Stress tests have
 * one that is mute.
 */
public class Doorbell implements CompletionChannel {
    /** The wake-ups of both ends, with their system calls: 11 µs each on the wake word, some more on the socket. */
    private static final long WAKE_UP_NS = 30_000;

    /** Enough for a peer that keeps to the rules; another one must not keep this thread busy. */
    private static final int LOOKS = 8;

    private final LocalSocket socket;

    /** Null: descriptors are closed. Set before other threads know this object. */
    private @Nullable IntConsumer onPassed;

    private volatile boolean hungUp;

    /** @param socket connected, or connecting; closed with this object */
    public Doorbell(LocalSocket socket) {
        this.socket = socket;
    }

    /** @param action takes and owns a descriptor that the peer has passed; must not block */
    public void onPassed(IntConsumer action) {
        onPassed = action;
    }

    @Override
    public SelectableChannel selectable() {
        return socket.selectable();
    }

    @Override
    public @Nullable SelectableChannel known() {
        return socket.known();
    }

    @Override
    public long wakeUpNs() {
        return WAKE_UP_NS;
    }

    /** Wakes the peer. {@link #drain()} tells if the peer is lost. */
    public void ring() {
        if (!socket.ring()) {
            hungUp = true;
        }
    }

    /** Passes a descriptor, or {@link DescriptorPoll#NONE}: a byte that is no event. {@return whether it was sent} */
    public boolean pass(int descriptor) {
        return socket.pass(descriptor);
    }

    @Override
    public int drain() {
        if (hungUp) {
            return HANGUP;
        }
        int events = 0;
        // Once: a peer that writes without end must not keep this thread busy. Bytes that are left keep the channel
        // readable.
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
            LocalSocket.closePassed(descriptor);
        } else {
            onPassed.accept(descriptor);
        }
    }

    /** {@return a descriptor of the process at the other end, by which its end is seen; negative: there is none} */
    public int peerProcess() {
        return socket.peerProcess();
    }

    /**
     * Ends the connection: the peer sees end of file at once.
     *
     * @param both whether the peer has ended it, too: then it does not look, and the close is enough
     */
    public void end(boolean both) {
        hungUp = true;
        if (!both) {
            socket.shutdown();
        }
    }

    /** Takes what the peer has passed so far. Events stay. */
    public void takePassed() {
        boolean more = true;
        for (int looks = 0; more && looks < LOOKS; looks++) {
            long passed = socket.takePassed();
            take((int) (passed >> Integer.SIZE) - 1);
            more = passed > 0 && (int) passed == 1;
        }
    }

    public void close() {
        socket.close();
    }
}
