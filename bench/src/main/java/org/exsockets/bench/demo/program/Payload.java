package org.exsockets.bench.demo.program;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The deterministic content of bulk transfers: chunks of fixed pseudo-random bytes, each stamped with its index, so
 * that lost, repeated and reordered chunks change the checksum. Cheap enough not to be the bottleneck. One thread at a
 * time.
 */
final class Payload {
    static final int CHUNK_BYTES = 64 * 1024;

    private static final long SEED = 0x45585321L;

    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final ByteBuffer view = ByteBuffer.wrap(chunk);

    Payload() {
        new SplittableRandom(SEED).nextBytes(chunk);
    }

    /**
     * Fills in the chunk of that index.
     *
     * @return the same buffer every time, position 0, limit {@link #CHUNK_BYTES}; valid until the next call
     */
    ByteBuffer chunk(long index) {
        view.clear();
        return view.putLong(0, index);
    }

    /** {@return the CRC32C of the first {@code chunks} chunks} */
    static long checksum(long chunks) {
        Payload payload = new Payload();
        CRC32C crc = new CRC32C();
        for (long index = 0; index < chunks; index++) {
            crc.update(payload.chunk(index));
        }
        return crc.getValue();
    }
}
