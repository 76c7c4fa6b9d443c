package org.exsockets.agent.selftest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Whether bytes travel unchanged in both directions at once, in pieces of many sizes, and end where they should. */
final class Check {
    private static final int LARGEST_PIECE = 100_000;
    private static final int PRIME = 7_919;

    private Check() {}

    /** {@return empty if all was right, else what was wrong} */
    static String run(Link link, int bytes) throws IOException {
        FutureTask<Void> sending = new FutureTask<>(() -> send(link, bytes), null);
        Thread sender = new Thread(sending, "selftest-sender");
        sender.setDaemon(true);
        sender.start();
        String wrong = receive(link, bytes);
        if (wrong.isEmpty()) {
            try {
                sending.get();
            } catch (ExecutionException e) {
                throw new IOException("sending: " + e.getCause().getMessage(), e);
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
        }
        return wrong;
    }

    private static void send(Link link, int bytes) {
        try {
            ByteBuffer buffer = link.buffer(LARGEST_PIECE);
            int sent = 0;
            for (int piece = 1; sent < bytes; piece = piece * PRIME % LARGEST_PIECE + 1) {
                int end = Math.min(sent + piece, bytes);
                buffer.clear();
                while (sent < end) {
                    buffer.put(at(sent));
                    sent++;
                }
                link.send(buffer.flip());
            }
            link.endOutput();
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static String receive(Link link, int bytes) throws IOException {
        ByteBuffer buffer = link.buffer(LARGEST_PIECE);
        int received = 0;
        while (link.receive(buffer) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                byte found = buffer.get();
                if (received >= bytes) {
                    return "more than " + bytes + " bytes came";
                }
                if (found != at(received)) {
                    return "byte " + received + " was " + found + ", not " + at(received);
                }
                received++;
            }
            buffer.clear();
        }
        return received == bytes ? "" : "the stream ended after " + received + " of " + bytes + " bytes";
    }

    /** Never the same for two places that are close, or apart by a power of two. */
    private static byte at(int position) {
        int mixed = (position + 1) * 0x9E3779B1;
        return (byte) (mixed >>> 24);
    }
}
