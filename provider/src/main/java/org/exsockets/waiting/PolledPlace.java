package org.exsockets.waiting;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * Sleeps in poll(2), on the channel and on an eventfd by which other threads wake the sleeper. Unused places are kept.
 */
final class PolledPlace extends InterruptiblePlace {
    private static final IdlePlaces<PolledPlace> IDLE = new IdlePlaces<>();

    /** Whether it was logged that no channel can be polled. */
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private final int bell;

    /** Of the channel; it stays open until {@link #leave}. */
    private int descriptor;

    /** A late wake-up, for a sleeper that has left, must not ring a closed bell: its descriptor may be reused. */
    private boolean bellClosed;

    private PolledPlace(int bell) {
        this.bell = bell;
    }

    /**
     * {@return a place to wait for {@code channel}, or null if it cannot be polled}
     *
     * @throws ClosedChannelException if it is closed already; the thread that is about to sleep keeps it open then
     * @throws IOException if there is no descriptor left
     */
    static @Nullable PolledPlace of(SelectableChannel channel) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        int descriptor = DescriptorPoll.descriptor(channel);
        if (descriptor == DescriptorPoll.NONE) {
            if (SAID.compareAndSet(false, true)) {
                Log.info("threads sleep in selectors, which takes longer: " + DescriptorPoll.obstacle());
            }
            return null;
        }
        PolledPlace place = IDLE.take();
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

    @Override
    public boolean sleep(long timeoutNs) throws IOException {
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

    @Override
    public synchronized PolledPlace wakeup() {
        if (!bellClosed) {
            DescriptorPoll.ring(bell);
        }
        return this;
    }

    @Override
    public void leave() {
        descriptor = DescriptorPoll.NONE;
        if (!IDLE.keep(this)) {
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
