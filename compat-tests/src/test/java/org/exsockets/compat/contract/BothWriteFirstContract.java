package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends that both write before they read: what Linux' TCP takes by its defaults, some four megabytes, is taken. */
@Tag("usual")
class BothWriteFirstContract extends AsynchronousContract {
    /** Of what TCP takes by its defaults, all but the last tenths. */
    private static final int AHEAD_BYTES = 4_000_000;

    private static final long USUAL_SEND_BUFFER = 4 << 20;
    private static final int MUCH = 3_000_000;
    private static final int PIECE = 32 * 1024;

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 65_537, 262_144, 262_145, 300_000, 1_000_000, MUCH})
    void sockets(int length) throws Exception {
        SocketPair pair = socketPair();
        List<Background<Void>> ends = List.of(start(pair.client(), length), start(pair.server(), length));
        for (Background<Void> end : ends) {
            end.result();
        }
    }

    private static Background<Void> start(Socket socket, int length) {
        return Background.start(() -> {
            socket.getOutputStream().write(Pattern.bytes(0, length));
            byte[] received = socket.getInputStream().readNBytes(length);
            assertEquals(length, received.length);
            Pattern.check(0, received, 0, length);
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 65_537, 262_144, 262_145, 300_000, 1_000_000, MUCH})
    void blockingChannels(int length) throws Exception {
        ChannelPair pair = channelPair();
        writeFully(pair.client(), Pattern.buffer(0, length));
        writeFully(pair.server(), Pattern.buffer(0, length));
        readPattern(pair.client(), 0, length);
        readPattern(pair.server(), 0, length);
    }

    /** Of many buffers, of which one begins in the middle of what fits. */
    @Test
    void gatheringWrites() throws Exception {
        ChannelPair pair = channelPair();
        ByteBuffer[] buffers = new ByteBuffer[30];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = Pattern.buffer((long) i * 100_000, 100_000);
        }
        for (long written = 0; written < MUCH; ) {
            written += pair.client().write(buffers);
        }
        readPattern(pair.server(), 0, MUCH);
    }

    @ParameterizedTest
    @ValueSource(ints = {300_000, MUCH, 16_000_000})
    void nonBlockingChannels(int length) throws Exception {
        ChannelPair pair = channelPair();
        try (Selector selector = Selector.open()) {
            End client = new End(register(pair.client(), selector, OP_WRITE), length);
            End server = new End(register(pair.server(), selector, OP_WRITE), length);
            while (client.received < length || server.received < length) {
                selector.select();
                selector.selectedKeys().clear();
                client.move();
                server.move();
            }
        }
    }

    /** Reads only when all is written, or as much as is certain to be taken. */
    private static final class End {
        private final SelectionKey key;
        private final ByteBuffer output;
        private final ByteBuffer input = ByteBuffer.allocateDirect(PIECE);
        private int received;

        private End(SelectionKey key, int length) {
            this.key = key;
            this.output = Pattern.buffer(0, length);
        }

        private void move() throws Exception {
            SocketChannel channel = (SocketChannel) key.channel();
            channel.write(output);
            if (output.position() < Math.min(MUCH, output.limit())) {
                return;
            }
            key.interestOps(output.hasRemaining() ? OP_READ | OP_WRITE : OP_READ);
            while (channel.read(input.clear()) > 0) {
                Pattern.check(received, input.flip());
                received += input.limit();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300_000, MUCH})
    void asynchronousChannels(int length) throws Exception {
        AsynchronousPair pair = pair();
        Future<Integer> one = pair.client().write(Pattern.buffer(0, length));
        Future<Integer> other = pair.server().write(Pattern.buffer(0, length));
        int written = get(one);
        int answered = get(other);
        writeFully(pair.client(), Pattern.buffer(written, length - written));
        writeFully(pair.server(), Pattern.buffer(answered, length - answered));
        readPattern(pair.client(), 0, length);
        readPattern(pair.server(), 0, length);
    }

    @Test
    @NotOver(
            value = Transport.DISNI,
            reason = "the reader's process registers more memory some milliseconds after the buffer is full")
    void asMuchIsTakenAheadOfAReaderThatDoesNotRead() throws Exception {
        assumeTrue(usualSendBuffer(), "the kernel's defaults have been changed: tcp_wmem");
        ChannelPair pair = channelPair();
        pair.client().configureBlocking(false);
        long ahead = fill(pair.client(), 0);
        assertTrue(ahead >= AHEAD_BYTES, "written=" + ahead);
        readPattern(pair.server(), 0, ahead);
    }

    private static boolean usualSendBuffer() throws Exception {
        String[] sizes = Files.readAllLines(Path.of("/proc/sys/net/ipv4/tcp_wmem"))
                .get(0)
                .trim()
                .split("\\s+");
        return Long.parseLong(sizes[2]) == USUAL_SEND_BUFFER;
    }

    @Test
    @NotOver(
            value = Transport.DISNI,
            reason = "memory that an adapter writes to is the reader's, who must be there to register it")
    void muchIsTakenBeforeTheConnectionIsAccepted() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
        writeFully(client, Pattern.buffer(0, 2_000_000));
        readPattern(closing(listener.accept()), 0, 2_000_000);
    }

    @Test
    @NotOver(
            value = Transport.DISNI,
            reason = "memory that an adapter writes to is the reader's, who must be there to register it")
    void whatWasTakenIsReadWhenTheWriterHasBeenKilled() throws Exception {
        PeerJvm mortal = closing(PeerJvm.start());
        PeerListener listener = mortal.listen(Face.NIO);
        PeerSocket remote = listener.accept();
        SocketChannel local = closing(SocketChannel.open(testAddress(listener.port())));
        remote.awaitOpen();
        remote.write(MUCH);
        mortal.kill();
        mortal.awaitEnd();
        readPattern(local, 0, MUCH);
    }
}
