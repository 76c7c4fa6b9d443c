package org.exsockets.compat.soak;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * Has a {@link Talk} over blocking calls: in turns on one thread, or with a second one that writes where both ends send at
 * the same time.
 */
final class BlockingTalk {
    private final Talk talk;
    private final Wire wire;
    private final ByteBuffer in;
    private final ByteBuffer out;

    /**
     * @param in to read into, and {@code out} to write from: this one's until {@link #run} is over
     */
    BlockingTalk(Talk talk, Wire wire, ByteBuffer in, ByteBuffer out) {
        this.talk = talk;
        this.wire = wire;
        this.in = in;
        this.out = out;
    }

    /** Runs it to its end, and closes. */
    void run(boolean client) {
        Thread writer = null;
        int turns = 0;
        int pauses = 0;
        try {
            while (!talk.isOver()) {
                if (writer == null && talk.plan() != null && talk.plan().together()) {
                    writer = new Thread(() -> write(), Thread.currentThread().getName() + "-writer");
                    writer.start();
                }
                if (writer == null && send()) {
                    turns++;
                    continue;
                }
                if (talk.isPeerEnded()) {
                    writer.join();
                    break;
                }
                if (client && turns > pauses) {
                    pauses = turns;
                    pause();
                }
                receive();
            }
            wire.close();
            talk.succeed();
        } catch (Throwable e) {
            talk.fail(e);
        } finally {
            close();
            giveBuffers(writer);
        }
    }

    private void giveBuffers(Thread writer) {
        try {
            if (writer != null) {
                writer.join();
            }
            Buffers.give(in);
            Buffers.give(out);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** So that answers wait for who reads them. */
    private void pause() {
        LockSupport.parkNanos(talk.plan().pauseMs() * 1_000_000L);
    }

    private void receive() throws IOException {
        in.clear();
        int n = wire.read(in);
        if (n < 0) {
            talk.onPeerEnded();
        } else {
            talk.onReceived(in.flip());
        }
    }

    /** Sends what may be sent; returns whether anything was. */
    private boolean send() throws IOException {
        if (talk.fill(out.clear())) {
            int length = out.remaining();
            wire.write(out);
            talk.onSent(length);
            return true;
        }
        if (talk.mayEnd()) {
            wire.shutdownOutput();
            talk.onEnded();
            return true;
        }
        return false;
    }

    private void write() {
        try {
            while (!talk.isEnded() && !talk.isNoted()) {
                if (!send()) {
                    talk.awaitTurn();
                }
            }
        } catch (Throwable e) {
            talk.fail(e);
            close();
        }
    }

    private void close() {
        try {
            wire.close();
        } catch (IOException e) {
            talk.fail(e);
        }
    }
}
