package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that write more than a little before they read, to servers that answer while they read: neither end reads for a while, and
 * buffers in between hold what is under way.
 */
@Tag("usual")
class WritingAheadContract extends Contract {
    private static final int LENGTH = 2 << 20;
    private static final int PIECE = 8 * 1024;
    private static final int BEFORE = 16 << 20;

    /** With more than this EXS does not follow. */
    private static final long MOST = 32L << 20;

    /** What the reader has read, and its peer is not told of yet, takes room: up to a quarter of the last buffer. */
    private static final long UNTOLD = MOST / 4;

    @Test
    void blockingChannels() throws Exception {
        ChannelPair pair = channelPair();
        Background<Void> server = Background.start(() -> {
            ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
            while (pair.server().read(piece.clear()) >= 0) {
                writeFully(pair.server(), piece.flip());
            }
            return null;
        });
        writeFully(pair.client(), Pattern.buffer(0, LENGTH));
        pair.client().shutdownOutput();
        checkAll(pair.client());
        server.result();
    }

    @Test
    void streamsOfSockets() throws Exception {
        SocketPair pair = socketPair();
        Background<Void> server = Background.start(() -> {
            InputStream in = pair.server().getInputStream();
            OutputStream out = pair.server().getOutputStream();
            byte[] piece = new byte[PIECE];
            for (int n; (n = in.read(piece)) >= 0; ) {
                out.write(piece, 0, n);
            }
            return null;
        });
        pair.client().getOutputStream().write(Pattern.bytes(0, LENGTH));
        pair.client().shutdownOutput();
        byte[] received = pair.client().getInputStream().readNBytes(LENGTH);
        Pattern.check(0, received, 0, LENGTH);
        server.result();
    }

    @Test
    void serverThatReadsNothingWhileItCannotWrite() throws Exception {
        ChannelPair pair = channelPair();
        Background<Void> server = Background.start(() -> {
            echoWithSelector(pair.server());
            return null;
        });
        writeFully(pair.client(), Pattern.buffer(0, LENGTH));
        pair.client().shutdownOutput();
        checkAll(pair.client());
        server.result();
    }

    /** A reader that has kept up, and pauses: TCP has tuned its buffers to it. */
    @Test
    @NotOver(value = Transport.DISNI, reason = "registered memory grows to exs.buffer, and no further")
    void aWriterGetsAsFarAheadOfAReaderThatPausesAsTcpsTuningLets() throws Exception {
        assumeFalse(systemFile("vm/overcommit_memory").equals("2"), "with strict overcommit pages would stay");
        ChannelPair pair = channelPair();
        Background<Void> reader = Background.start(() -> {
            readPattern(pair.server(), 0, BEFORE);
            return null;
        });
        writeFully(pair.client(), Pattern.buffer(0, BEFORE));
        reader.result();
        // What the kernel gets to in the end depends on how fast the reader was; these are its bounds.
        long most = most("tcp_wmem") + most("tcp_rmem");
        long goal = transport() == Transport.TCP ? most("tcp_wmem") / 2 : Math.min(most, MOST) - UNTOLD;
        pair.client().configureBlocking(false);
        long end = BEFORE;
        try (Selector selector = Selector.open()) {
            pair.client().register(selector, OP_WRITE);
            while (end - BEFORE < goal) {
                int n = pair.client().write(Pattern.buffer(end, PIECE));
                end += n;
                if (n == 0) {
                    selector.select(); // Held for good, if it cannot get so far.
                    selector.selectedKeys().clear();
                }
            }
        }
        readPattern(pair.server(), BEFORE, end);
    }

    private static long most(String setting) throws IOException {
        return Long.parseLong(systemFile("net/ipv4/" + setting).split("\\s+")[2]);
    }

    private static String systemFile(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/sys", name)).get(0).trim();
    }

    /** Is interested in reading while there is nothing to write, and in writing otherwise. */
    private static void echoWithSelector(SocketChannel channel) throws Exception {
        channel.configureBlocking(false);
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE).limit(0);
        try (Selector selector = Selector.open()) {
            SelectionKey key = channel.register(selector, OP_READ);
            boolean open = true;
            while (open) {
                selector.select();
                selector.selectedKeys().clear();
                if (!piece.hasRemaining()) {
                    open = channel.read(piece.clear()) >= 0;
                    piece.flip();
                }
                channel.write(piece);
                key.interestOps(piece.hasRemaining() ? OP_WRITE : OP_READ);
            }
        }
    }

    private static void checkAll(SocketChannel client) throws Exception {
        ByteBuffer received = ByteBuffer.allocateDirect(PIECE);
        int position = 0;
        while (position < LENGTH) {
            assertTrue(client.read(received.clear()) > 0);
            Pattern.check(position, received.flip());
            position += received.limit();
        }
    }
}
