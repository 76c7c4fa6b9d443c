package org.exsockets.compat.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A {@link Talk} over an asynchronous channel: a read is always pending, a write while there is something to be sent.
 * Handlers hold the monitor, whichever thread calls them.
 */
final class AsynchronousTalk {
    private final Talk talk;
    private final AsynchronousSocketChannel channel;
    private final ByteBuffer in;
    private final ByteBuffer out;
    private boolean writing;

    AsynchronousTalk(Talk talk, AsynchronousSocketChannel channel, Random random) {
        this.talk = talk;
        this.channel = channel;
        this.in = Buffers.any(random);
        this.out = Buffers.any(random);
    }

    void connect(InetSocketAddress there) {
        guarded(() -> channel.connect(there, null, told(nothing -> begin())));
    }

    /** Begins on a channel that is connected. */
    synchronized void begin() {
        guarded(() -> {
            read();
            write();
        });
    }

    private void read() {
        channel.read(in.clear(), null, told(this::onRead));
    }

    private void onRead(int n) throws IOException {
        if (n < 0) {
            talk.onPeerEnded();
        } else {
            talk.onReceived(in.flip());
            read();
        }
        write();
    }

    private void write() throws IOException {
        if (writing) {
            return;
        }
        if (talk.fill(out.clear())) {
            writing = true;
            channel.write(out, null, told(this::onWritten));
        } else if (talk.mayEnd()) {
            channel.shutdownOutput();
            talk.onEnded();
        }
        if (talk.isOver()) {
            channel.close();
            talk.succeed();
        }
    }

    private void onWritten(int n) throws IOException {
        talk.onSent(n);
        if (out.hasRemaining()) {
            channel.write(out, null, told(this::onWritten));
        } else {
            writing = false;
            write();
        }
    }

    /** What a handler does, or the beginning. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** What a handler does with a result. */
    @FunctionalInterface
    private interface Completion<V> {
        void accept(V result) throws IOException;
    }

    private synchronized void guarded(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            fail(e);
        }
    }

    private <V> CompletionHandler<V, Object> told(Completion<V> completion) {
        return new Handler<>(result -> guarded(() -> completion.accept(result)), this::fail);
    }

    private void fail(Throwable failure) {
        talk.fail(failure);
        try {
            channel.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Handlers as two functions. */
    record Handler<V>(Consumer<V> completed, Consumer<Throwable> failed) implements CompletionHandler<V, Object> {
        @Override
        public void completed(V result, Object none) {
            completed.accept(result);
        }

        @Override
        public void failed(Throwable failure, Object none) {
            failed.accept(failure);
        }
    }
}
