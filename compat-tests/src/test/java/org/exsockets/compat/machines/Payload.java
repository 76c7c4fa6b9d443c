package org.exsockets.compat.machines;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * A long body that both sides know by its length: the same random piece over and over, each time stamped with its
 * number, so that a lost, doubled or displaced piece changes the checksum.
 */
final class Payload {
    private static final int PIECE_BYTES = 64 * 1024;
    private static final long SEED = 20_090_317L;

    private Payload() {}

    /** Writes the body. */
    static void write(OutputStream out, int mebibytes) throws IOException {
        byte[] piece = piece();
        for (int i = 0; i < pieces(mebibytes); i++) {
            stamp(piece, i);
            out.write(piece);
        }
    }

    /** {@return the checksum of the body} */
    static long checksum(int mebibytes) {
        byte[] piece = piece();
        CRC32 checksum = new CRC32();
        for (int i = 0; i < pieces(mebibytes); i++) {
            stamp(piece, i);
            checksum.update(piece);
        }
        return checksum.getValue();
    }

    /** {@return the checksum of everything that comes until the end} */
    static long checksum(InputStream in) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        CRC32 checksum = new CRC32();
        int n;
        while ((n = in.read(piece)) >= 0) {
            checksum.update(piece, 0, n);
        }
        return checksum.getValue();
    }

    /** {@return the body as a stream} */
    static InputStream stream(int mebibytes) {
        byte[] piece = piece();
        return new InputStream() {
            private int next;
            private int used = PIECE_BYTES;

            @Override
            public int read() {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int lengthBytes) {
                if (used == PIECE_BYTES) {
                    if (next == pieces(mebibytes)) {
                        return -1;
                    }
                    stamp(piece, next++);
                    used = 0;
                }
                int n = Math.min(lengthBytes, PIECE_BYTES - used);
                System.arraycopy(piece, used, into, offset, n);
                used += n;
                return n;
            }
        };
    }

    private static int pieces(int mebibytes) {
        return mebibytes * (1024 * 1024 / PIECE_BYTES);
    }

    private static byte[] piece() {
        byte[] piece = new byte[PIECE_BYTES];
        new Random(SEED).nextBytes(piece);
        return piece;
    }

    private static void stamp(byte[] piece, int number) {
        for (int i = 0; i < Integer.BYTES; i++) {
            piece[i] = (byte) (number >>> 8 * i);
        }
    }
}
