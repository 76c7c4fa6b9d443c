package org.exsockets.compat.contract;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.Footprint;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerProgram;
import org.exsockets.compat.harness.TestHost;

/**
 * Holds connections to a {@link HoldingServer}, with one selector. What they exchange is checked; each is at another place of
 * the {@link Pattern}. Arguments: {@code connect PORT COUNT}, so many more, each used once; {@code exchange COUNT ROUNDS}, over
 * so many of them again and again; {@code footprint}; {@code close}. Commands come one after the other.
 */
public final class HoldingClient implements PeerProgram {
    private static final int MESSAGE_BYTES = 64;
    private static final long BETWEEN_POSITIONS = 1_000_003;

    private static final List<Held> HELD = new ArrayList<>();
    private static final ByteBuffer RECEIVED = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    private static Selector selector;

    @Override
    public String run(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "connect":
                connect(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
                return "";
            case "exchange":
                List<Held> some = spread(Integer.parseInt(arguments[1]));
                for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                    exchange(some);
                }
                return "";
            case "footprint":
                return Footprint.now().format();
            case "close":
                for (Held held : HELD) {
                    held.channel.close();
                }
                HELD.clear();
                selector.close();
                selector = null;
                return "";
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void connect(int port, int count) throws IOException {
        if (selector == null) {
            selector = Selector.open();
        }
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(TestHost.address(port));
            channel.configureBlocking(false);
            Held held = new Held(channel, BETWEEN_POSITIONS * HELD.size());
            channel.register(selector, SelectionKey.OP_READ, held);
            HELD.add(held);
            exchange(List.of(held));
        }
    }

    /** Returns so many connections, evenly among all. */
    private static List<Held> spread(int count) {
        List<Held> some = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            some.add(HELD.get((int) ((long) i * HELD.size() / count)));
        }
        return some;
    }

    private static void exchange(List<Held> some) throws IOException {
        for (Held held : some) {
            held.send();
        }
        int waiting = some.size();
        while (waiting > 0) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                if (((Held) key.attachment()).receive()) {
                    waiting--;
                }
            }
            selector.selectedKeys().clear();
        }
    }

    /** A connection, and where it is in the pattern. */
    private static final class Held {
        final SocketChannel channel;
        private long sent;
        private long received;

        Held(SocketChannel channel, long position) {
            this.channel = channel;
            this.sent = position;
            this.received = position;
        }

        void send() throws IOException {
            ByteBuffer message = Pattern.buffer(sent, MESSAGE_BYTES);
            sent += MESSAGE_BYTES;
            while (message.hasRemaining()) {
                channel.write(message);
            }
        }

        /** Returns whether everything that was sent has come back. */
        boolean receive() throws IOException {
            RECEIVED.clear();
            int n = channel.read(RECEIVED);
            if (n < 0) {
                throw new EOFException("held connection: the stream ended");
            }
            Pattern.check(received, RECEIVED.flip());
            received += n;
            return n > 0 && received == sent;
        }
    }
}
