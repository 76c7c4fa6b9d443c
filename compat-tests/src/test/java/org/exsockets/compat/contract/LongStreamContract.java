package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More bytes over one connection than 32 bits can count, signed or unsigned. */
@Tag("placed")
class LongStreamContract extends Contract {
    private static final int PIECE_BYTES = 1 << 20;
    private static final long PIECES = 4200;

    @Test
    @TimeLimit(LONG)
    @NotOver(
            value = Transport.DISNI,
            reason =
                    "soft-RoCE in an emulated machine takes an hour for it; counters wider than 32 bits are the stream's own")
    void moreThanFourGibibytesArriveInOrder() throws Exception {
        ChannelPair pair = channelPair();
        Background<Long> writer = Background.start(() -> write(pair.client()));
        ByteBuffer target = ByteBuffer.allocateDirect(PIECE_BYTES);
        CRC32C checksum = new CRC32C();
        for (long piece = 0; piece < PIECES; piece++) {
            target.clear();
            while (target.hasRemaining()) {
                if (pair.server().read(target) < 0) {
                    throw new AssertionError("the stream ended: piece=" + piece + ", position=" + target.position());
                }
            }
            if (target.getLong(0) != piece || target.getLong(PIECE_BYTES - Long.BYTES) != ~piece) {
                throw new AssertionError("stream: wrong piece: expected=" + piece + ", actual=" + target.getLong(0));
            }
            checksum.update(target.flip());
        }
        assertEquals(writer.result(), checksum.getValue());
        pair.client().close();
        assertEquals(-1, pair.server().read(target.clear()));
    }

    /** Returns the checksum of everything. */
    private static long write(SocketChannel channel) throws IOException {
        ByteBuffer source = ByteBuffer.allocateDirect(PIECE_BYTES);
        for (int i = 0; i < PIECE_BYTES; i++) {
            source.put((byte) (i * 31));
        }
        CRC32C checksum = new CRC32C();
        for (long piece = 0; piece < PIECES; piece++) {
            source.clear().putLong(0, piece).putLong(PIECE_BYTES - Long.BYTES, ~piece);
            checksum.update(source);
            writeFully(channel, source.rewind());
        }
        return checksum.getValue();
    }
}
