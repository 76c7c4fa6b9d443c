package org.exsockets.waiting;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.ArrayBlockingQueue;
import org.exsockets.jdk.DescriptorPoll;

/**
 * Where a platform thread sleeps in poll(2) until one channel is readable: on the channel and on an eventfd by which other
 * threads wake the sleeper. One sleeper at a time. Unused places are kept.
 */
final class PolledPlace extends InterruptiblePlace {
    private static final ArrayBlockingQueue<PolledPlace> IDLE = new ArrayBlockingQueue<>(16);

    private final int bell;

    /** Of the channel; it stays open until {@link #leave}. */
    private int descriptor;

    /** A late wake-up, for a sleeper that has left, must not ring a closed bell: its descriptor may be reused. */
    private boolean bellClosed;

    private PolledPlace(int bell) {
        this.bell = bell;
    }

    /**
     * {@return a place to wait for {@code channel}}
     *
     * @throws ClosedChannelException if it is closed already; the thread that is about to sleep keeps it open then
     * @throws IOException if there is no descriptor left, or the channel cannot be polled
     */
    static PolledPlace of(SelectableChannel channel) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        int descriptor = DescriptorPoll.descriptor(channel);
        if (descriptor == DescriptorPoll.NONE) {
            throw new IOException("poll: " + DescriptorPoll.obstacle());
        }
        PolledPlace place = IDLE.poll();
        if (place == null) {
            int bell = DescriptorPoll.openBell();
            if (bell < 0) {
                throw new IOException("eventfd: error " + -bell);
            }
            place = new PolledPlace(bell);
        }
        place.descriptor = descriptor;
        return place;
    }

    /**
     * Sleeps until the channel is readable, {@link #wakeup}, interrupt or time-out; may return for no reason.
     *
     * @param timeoutNs > 0
     * @return whether the channel may be readable
     */
    boolean sleep(long timeoutNs) throws IOException {
        int ready;
        begin();
        try {
            ready = DescriptorPoll.poll(descriptor, bell, timeoutNs);
        } finally {
            end();
        }
        if (ready < 0) {
            throw new IOException("poll: error " + -ready);
        }
        return ready > 0;
    }

    /** Ends the current sleep, or else the next one. Any thread, also after {@link #leave}. */
    @Override
    public synchronized PolledPlace wakeup() {
        if (!bellClosed) {
            DescriptorPoll.ring(bell);
        }
        return this;
    }

    /** Gives the place back, once. No thread sleeps in it. */
    void leave() {
        descriptor = DescriptorPoll.NONE;
        if (!IDLE.offer(this)) {
            implCloseSelector();
        }
    }

    @Override
    protected synchronized void implCloseSelector() {
        if (!bellClosed) {
            bellClosed = true;
            DescriptorPoll.closeBell(bell);
        }
    }
}
