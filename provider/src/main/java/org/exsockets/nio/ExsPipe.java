package org.exsockets.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.spi.SelectorProvider;

/** A pipe of the JDK whose ends can be registered with our selector without the agent. Thread-safe. */
final class ExsPipe extends Pipe {
    private final Source source;
    private final Sink sink;

    ExsPipe(SelectorProvider provider, Pipe inner) {
        this.source = new Source(provider, inner.source());
        this.sink = new Sink(provider, inner.sink());
    }

    @Override
    public SourceChannel source() {
        return source;
    }

    @Override
    public SinkChannel sink() {
        return sink;
    }

    private static final class Source extends SourceChannel implements ExsChannel {
        private final WrappedChannel<SourceChannel> wrapped;

        Source(SelectorProvider provider, SourceChannel inner) {
            super(provider);
            this.wrapped = new WrappedChannel<>(this, inner);
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            try {
                return wrapped.inner().read(target);
            } catch (IOException e) {
                throw wrapped.closedWith(e);
            }
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
            try {
                return wrapped.inner().read(targets, offset, length);
            } catch (IOException e) {
                throw wrapped.closedWith(e);
            }
        }

        @Override
        public long read(ByteBuffer[] targets) throws IOException {
            return read(targets, 0, targets.length);
        }

        @Override
        public KeySource source(ExsSelector selector, ExsKey key) {
            return wrapped.source(key);
        }

        @Override
        public ChannelKeys keys() {
            return wrapped.keys();
        }

        @Override
        protected void implCloseSelectableChannel() throws IOException {
            wrapped.close();
        }

        @Override
        protected void implConfigureBlocking(boolean block) throws IOException {
            wrapped.configureBlocking(block);
        }
    }

    private static final class Sink extends SinkChannel implements ExsChannel {
        private final WrappedChannel<SinkChannel> wrapped;

        Sink(SelectorProvider provider, SinkChannel inner) {
            super(provider);
            this.wrapped = new WrappedChannel<>(this, inner);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            try {
                return wrapped.inner().write(source);
            } catch (IOException e) {
                throw wrapped.closedWith(e);
            }
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            try {
                return wrapped.inner().write(sources, offset, length);
            } catch (IOException e) {
                throw wrapped.closedWith(e);
            }
        }

        @Override
        public long write(ByteBuffer[] sources) throws IOException {
            return write(sources, 0, sources.length);
        }

        @Override
        public KeySource source(ExsSelector selector, ExsKey key) {
            return wrapped.source(key);
        }

        @Override
        public ChannelKeys keys() {
            return wrapped.keys();
        }

        @Override
        protected void implCloseSelectableChannel() throws IOException {
            wrapped.close();
        }

        @Override
        protected void implConfigureBlocking(boolean block) throws IOException {
            wrapped.configureBlocking(block);
        }
    }
}
