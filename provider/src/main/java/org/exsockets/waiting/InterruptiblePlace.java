package org.exsockets.waiting;

import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.Set;
import org.exsockets.jdk.JdkChannels;

/**
 * A place whose sleeper an interrupt wakes.
 *
 * <p>It is a selector for one reason: {@link #begin} and {@link #end}, between which an interrupt of the thread calls
 * {@link #wakeup} (JDK contract of {@link AbstractSelector}). No channel can be registered with it.
 */
abstract class InterruptiblePlace extends AbstractSelector {
    InterruptiblePlace() {
        super(JdkChannels.provider());
    }

    // The other methods of a selector.

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SelectionKey> keys() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int selectNow() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select(long timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select() {
        throw new UnsupportedOperationException();
    }
}
