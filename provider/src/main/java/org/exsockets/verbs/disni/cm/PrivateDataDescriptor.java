package org.exsockets.verbs.disni.cm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.verbs.disni.memory.ConnectionMemory;

/**
 * What both ends tell each other in the private data of the connection manager: 28 bytes, big-endian (network order);
 * the connection manager carries up to 56 with a request.
 *
 * <pre>
 *   0        4     5     6     7       8                 16       20       24    26    28
 *   +--------+-----+-----+-----+-------+-----------------+--------+--------+-----+-----+
 *   | "EXSV" | lay-| min | max | log2  | exposed         | exposed| exposed|cport|sport|
 *   |        | out |     |     | depth | address         | rkey   | length |     |     |
 *   +--------+-----+-----+-----+-------+-----------------+--------+--------+-----+-----+
 * </pre>
 *
 * <p>layout: {@link #LAYOUT}, of this table and of the farewell. min, max: versions of the upper protocol; in the
 * answer both are the spoken one. depth: messages that may be under way to this end; those of the answer, no more than
 * were asked for, both ends use. exposed: memory the other end may write to, its length a power of two. cport, sport: TCP
 * ports of client and server; the hosts are the connection manager's.
 *
 * <p>A rejection has the first 4 bytes, then a code of {@link Rejection} in one byte.
 */
final class PrivateDataDescriptor {
    static final int LENGTH = 28;
    static final int REJECTION_LENGTH = 5;

    static final int MAGIC = 0x45585356;
    static final int LAYOUT = 2;

    static final int MAGIC_OFFSET = 0;
    static final int LAYOUT_OFFSET = 4;
    static final int MIN_VERSION_OFFSET = 5;
    static final int MAX_VERSION_OFFSET = 6;
    static final int LOG_DEPTH_OFFSET = 7;
    static final int EXPOSED_ADDRESS_OFFSET = 8;
    static final int EXPOSED_RKEY_OFFSET = 16;
    static final int EXPOSED_LENGTH_OFFSET = 20;
    static final int CLIENT_PORT_OFFSET = 24;
    static final int SERVER_PORT_OFFSET = 26;
    static final int REJECTION_OFFSET = 4;

    private static final int MAX_LOG = 30;

    private PrivateDataDescriptor() {}

    /** Why a listener has rejected; codes are part of the wire format: append only. */
    enum Rejection {
        UNKNOWN,
        VERSION,
        BACKLOG_FULL,
        LOCKED_MEMORY,
        NO_RESOURCES,
        MALFORMED,
        OTHER_PROTOCOL;

        private static final Rejection[] VALUES = values();
    }

    /** One end's side of the hand-shake. Decoding checks only that it is a hello. */
    record Hello(
            int minVersion,
            int maxVersion,
            int receiveDepth,
            long exposedAddress,
            int exposedKey,
            int exposedLength,
            int clientPort,
            int serverPort) {
        /** {@return that of an end with this memory} */
        static Hello of(ConnectionMemory memory, int minVersion, int maxVersion, int clientPort, int serverPort) {
            return new Hello(
                    minVersion,
                    maxVersion,
                    memory.receiveDepth(),
                    memory.exposedAddress(),
                    memory.exposedKey(),
                    memory.exposedBytes(),
                    clientPort,
                    serverPort);
        }
    }

    static byte[] encode(Hello hello) {
        byte[] bytes = new byte[LENGTH];
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.BIG_ENDIAN)
                .putInt(MAGIC_OFFSET, MAGIC)
                .put(LAYOUT_OFFSET, (byte) LAYOUT)
                .put(MIN_VERSION_OFFSET, (byte) hello.minVersion)
                .put(MAX_VERSION_OFFSET, (byte) hello.maxVersion)
                .put(LOG_DEPTH_OFFSET, (byte) Integer.numberOfTrailingZeros(hello.receiveDepth))
                .putLong(EXPOSED_ADDRESS_OFFSET, hello.exposedAddress)
                .putInt(EXPOSED_RKEY_OFFSET, hello.exposedKey)
                .putInt(EXPOSED_LENGTH_OFFSET, hello.exposedLength)
                .putShort(CLIENT_PORT_OFFSET, (short) hello.clientPort)
                .putShort(SERVER_PORT_OFFSET, (short) hello.serverPort);
        return bytes;
    }

    /**
     * Decodes private data of {@code length} bytes at {@code offset}; the connection manager pads it with zeros.
     *
     * @throws IllegalArgumentException if it is no hello of this layout; the message says why
     */
    static Hello decode(ByteBuffer in, int offset, int length) {
        ByteBuffer data = in.duplicate().order(ByteOrder.BIG_ENDIAN);
        if (length < LENGTH || data.getInt(offset + MAGIC_OFFSET) != MAGIC) {
            throw new IllegalArgumentException("private data: not of EXS: length=" + length);
        }
        int layout = data.get(offset + LAYOUT_OFFSET);
        if (layout != LAYOUT) {
            throw new IllegalArgumentException("private data: unknown layout: layout=" + layout);
        }
        int logDepth = data.get(offset + LOG_DEPTH_OFFSET);
        if (logDepth < 0 || logDepth > MAX_LOG) {
            throw new IllegalArgumentException("private data: bad receive depth: log2=" + logDepth);
        }
        return new Hello(
                Byte.toUnsignedInt(data.get(offset + MIN_VERSION_OFFSET)),
                Byte.toUnsignedInt(data.get(offset + MAX_VERSION_OFFSET)),
                1 << logDepth,
                data.getLong(offset + EXPOSED_ADDRESS_OFFSET),
                data.getInt(offset + EXPOSED_RKEY_OFFSET),
                data.getInt(offset + EXPOSED_LENGTH_OFFSET),
                Short.toUnsignedInt(data.getShort(offset + CLIENT_PORT_OFFSET)),
                Short.toUnsignedInt(data.getShort(offset + SERVER_PORT_OFFSET)));
    }

    static byte[] encode(Rejection rejection) {
        byte[] bytes = new byte[REJECTION_LENGTH];
        ByteBuffer.wrap(bytes).putInt(MAGIC_OFFSET, MAGIC).put(REJECTION_OFFSET, (byte) rejection.ordinal());
        return bytes;
    }

    /** {@return the listener's reason; UNKNOWN if the private data is not of EXS} */
    static Rejection decodeRejection(ByteBuffer in, int offset, int length) {
        ByteBuffer data = in.duplicate().order(ByteOrder.BIG_ENDIAN);
        if (length < REJECTION_LENGTH || data.getInt(offset + MAGIC_OFFSET) != MAGIC) {
            return Rejection.UNKNOWN;
        }
        int code = data.get(offset + REJECTION_OFFSET);
        return code >= 0 && code < Rejection.VALUES.length ? Rejection.VALUES[code] : Rejection.UNKNOWN;
    }
}
