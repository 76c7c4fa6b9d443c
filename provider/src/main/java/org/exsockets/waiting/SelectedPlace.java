package org.exsockets.waiting;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.observe.Log;

/**
 * Sleeps in a selector of the JDK, if {@link PolledPlace} is unavailable. Unused selectors are kept, because opening
 * and closing one costs several system calls.
 */
final class SelectedPlace implements SleepingPlace {
    private static final long NS_PER_MS = 1_000_000;
    private static final Consumer<SelectionKey> IGNORE = key -> {};

    /** Without keys. */
    private static final IdlePlaces<Selector> IDLE = new IdlePlaces<>();

    private final Selector selector;

    private SelectedPlace(Selector selector) {
        this.selector = selector;
    }

    /**
     * {@return a place to wait for {@code channel}}
     *
     * @throws ClosedChannelException if the channel is closed
     * @throws IOException if there is no descriptor left
     */
    static SelectedPlace of(SelectableChannel channel) throws IOException {
        SelectedPlace place = new SelectedPlace(acquire());
        try {
            channel.register(place.selector, SelectionKey.OP_READ);
            return place;
        } catch (ClosedChannelException e) {
            place.leave();
            throw e;
        }
    }

    private static Selector acquire() throws IOException {
        Selector idle = IDLE.take();
        return idle != null ? idle : JdkChannels.openSelector();
    }

    @Override
    public boolean sleep(long timeoutNs) throws IOException {
        selector.select(IGNORE, Math.max(1, Math.min(timeoutNs, Long.MAX_VALUE - NS_PER_MS) / NS_PER_MS));
        return true;
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    @Override
    public void leave() {
        if (isEmptied() && IDLE.keep(selector)) {
            return;
        }
        try {
            selector.close();
        } catch (IOException e) {
            Log.debug("sleeping place: " + e.getMessage());
        }
    }

    /** Cancels its key, which lets a closed channel go. {@return whether that has worked} */
    private boolean isEmptied() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.cancel();
            }
            selector.selectNow();
            return true;
        } catch (IOException e) {
            Log.debug("sleeping place: " + e.getMessage());
            return false;
        }
    }
}
