package org.exsockets.aio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.exsockets.nio.NioProvider;
import org.junit.jupiter.api.Test;

/** What the leader of a group sees of a channel while another thread registers it. */
class ChannelRegistrationTest {
    private ChannelRegistration registration;

    /** Reported to the leader while it is being registered. */
    private final class EarlyChannel extends SelectableChannel {
        private final EarlyKey key = new EarlyKey(this);

        @Override
        public SelectionKey register(Selector selector, int ops, Object attachment) {
            key.interestOps(ops);
            registration.onReady(key, ops, new ArrayList<>());
            return key;
        }

        @Override
        public SelectorProvider provider() {
            return SelectorProvider.provider();
        }

        @Override
        public int validOps() {
            return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }

        @Override
        public boolean isRegistered() {
            return true;
        }

        @Override
        public SelectionKey keyFor(Selector selector) {
            return key;
        }

        @Override
        public SelectableChannel configureBlocking(boolean block) {
            return this;
        }

        @Override
        public boolean isBlocking() {
            return false;
        }

        @Override
        public Object blockingLock() {
            return this;
        }

        @Override
        protected void implCloseChannel() {}
    }

    private static final class EarlyKey extends AbstractSelectionKey {
        private final SelectableChannel channel;
        private int interest;

        EarlyKey(SelectableChannel channel) {
            this.channel = channel;
        }

        @Override
        public SelectableChannel channel() {
            return channel;
        }

        @Override
        public Selector selector() {
            return null;
        }

        @Override
        public int interestOps() {
            return interest;
        }

        @Override
        public SelectionKey interestOps(int ops) {
            interest = ops;
            return this;
        }

        @Override
        public int readyOps() {
            return interest;
        }
    }

    @Test
    void aKeyMayBeReportedBeforeItsRegistrationReturns() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        try {
            ExsChannelGroup group = new ExsChannelGroup(
                    AsynchronousChannelProvider.provider(),
                    new GroupThreads(new NioProvider().openOwnSelector(), executor, 0, GroupThreads.PoolKind.GIVEN));
            EarlyChannel channel = new EarlyChannel();
            Direction[] directions = new Direction[1];
            registration = new ChannelRegistration(group, channel, channel, directions);
            directions[0] = new Direction(
                    SelectionKey.OP_READ,
                    registration,
                    (buffer, buffers, waited) -> Direction.WAIT,
                    IllegalStateException::new,
                    IllegalStateException::new);
            registration.raise(SelectionKey.OP_READ);
            assertEquals(0, channel.key.interestOps(), "nothing is pending");
            group.shutdownNow();
        } finally {
            executor.shutdownNow();
        }
    }
}
