package org.exsockets.waiting;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.verbs.CompletionChannel;

/** A completion channel that rings when a test says so. Any thread. */
final class PipeChannel implements CompletionChannel, AutoCloseable {
    private final Pipe pipe;

    PipeChannel() {
        try {
            pipe = JdkChannels.provider().openPipe();
            pipe.source().configureBlocking(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void ring() {
        try {
            pipe.sink().write(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public SelectableChannel selectable() {
        return pipe.source();
    }

    @Override
    public long wakeUpNs() {
        return 30_000;
    }

    @Override
    public int drain() {
        try {
            return pipe.source().read(ByteBuffer.allocate(64)) > 0 ? EVENT : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
