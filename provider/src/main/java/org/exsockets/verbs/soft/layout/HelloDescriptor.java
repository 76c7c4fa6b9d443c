package org.exsockets.verbs.soft.layout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the connecting end writes to the Unix socket, once and in one piece: 80 bytes, big-endian (network order).
 *
 * <pre>
 *  0        4     6     8       12      16    18    20            36            52         56        64      72      80
 *  +--------+-----+-----+-------+-------+-----+-----+-------------+-------------+----------+---------+-------+-------+
 *  | "EXSH" | min | max | slots | region|cport|sport| client addr | server addr | families | segment | proof | token |
 *  +--------+-----+-----+-------+-------+-----+-----+-------------+-------------+----------+---------+-------+-------+
 * </pre>
 *
 * <p>min, max: versions of the upper protocol that the client speaks (16 bit, unsigned). slots, region: as in
 * {@link SegmentDescriptor}. cport, sport: TCP ports of both ends; cport 0: the client has none yet
 * ({@code ClientPort}). Addresses: IPv6 in 16 bytes or IPv4 in the first 4; families: two bytes, 4 or 6 each; then the
 * logarithm to base 2 of reserve as in {@link SegmentDescriptor}, 0: none; then the number of descriptors that come
 * with the first byte. segment: the number of the segment. proof: a number that the client has also written into the
 * segment ({@link SegmentDescriptor#PROOF_OFFSET}), as only a process that shares it can. token: of the client's
 * process ({@link ProcessDescriptor}); 0: not for the server. The acceptor checks every field; a wrong one ends the
 * hand-shake.
 *
 * <p>A segment that the server has not mapped yet is passed with the hello (SCM_RIGHTS, unix(7)), followed by the
 * memory of the client's process unless token is 0.
 */
public final class HelloDescriptor {
    public static final int LENGTH = 80;

    static final int MAGIC = 0x45585348;
    static final int MAGIC_OFFSET = 0;
    static final int MIN_VERSION_OFFSET = 4;
    static final int MAX_VERSION_OFFSET = 6;
    static final int SLOTS_OFFSET = 8;
    static final int REGION_OFFSET = 12;
    static final int CLIENT_PORT_OFFSET = 16;
    static final int SERVER_PORT_OFFSET = 18;
    static final int CLIENT_ADDRESS_OFFSET = 20;
    static final int SERVER_ADDRESS_OFFSET = 36;
    static final int FAMILIES_OFFSET = 52;
    static final int RESERVE_OFFSET = 54;
    public static final int PASSED_OFFSET = 55;
    static final int SEGMENT_OFFSET = 56;
    public static final int PROOF_OFFSET = SEGMENT_OFFSET + Long.BYTES;
    public static final int TOKEN_OFFSET = PROOF_OFFSET + Long.BYTES;

    private static final int ADDRESS_LENGTH = 16;

    private HelloDescriptor() {}

    /** A decoded hello; nothing in it has been checked against the listener yet. */
    public record Hello(
            int minVersion,
            int maxVersion,
            int slots,
            int regionBytes,
            int reserveBytes,
            int passed,
            InetSocketAddress client,
            InetSocketAddress server,
            long segment,
            long proof,
            long token) {}

    public static byte[] encode(Hello hello) {
        ByteBuffer out = ByteBuffer.allocate(LENGTH).order(ByteOrder.BIG_ENDIAN);
        out.putInt(MAGIC_OFFSET, MAGIC)
                .putShort(MIN_VERSION_OFFSET, (short) hello.minVersion)
                .putShort(MAX_VERSION_OFFSET, (short) hello.maxVersion)
                .putInt(SLOTS_OFFSET, hello.slots)
                .putInt(REGION_OFFSET, hello.regionBytes)
                .putShort(CLIENT_PORT_OFFSET, (short) hello.client.getPort())
                .putShort(SERVER_PORT_OFFSET, (short) hello.server.getPort());
        putAddress(out, CLIENT_ADDRESS_OFFSET, 0, hello.client);
        putAddress(out, SERVER_ADDRESS_OFFSET, 1, hello.server);
        if (hello.reserveBytes > 0) {
            out.put(RESERVE_OFFSET, (byte) Integer.numberOfTrailingZeros(hello.reserveBytes));
        }
        out.put(PASSED_OFFSET, (byte) hello.passed);
        out.putLong(SEGMENT_OFFSET, hello.segment);
        out.putLong(PROOF_OFFSET, hello.proof);
        out.putLong(TOKEN_OFFSET, hello.token);
        return out.array();
    }

    private static void putAddress(ByteBuffer out, int offset, int index, InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        out.put(offset, bytes);
        out.put(FAMILIES_OFFSET + index, (byte) (bytes.length == 4 ? 4 : 6));
    }

    /**
     * Decodes the first {@link #LENGTH} bytes.
     *
     * @throws IllegalArgumentException if they are not a hello; the message says why
     */
    public static Hello decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.BIG_ENDIAN);
        if (in.getInt(MAGIC_OFFSET) != MAGIC) {
            throw new IllegalArgumentException("hello: bad magic: " + Integer.toHexString(in.getInt(MAGIC_OFFSET)));
        }
        return new Hello(
                Short.toUnsignedInt(in.getShort(MIN_VERSION_OFFSET)),
                Short.toUnsignedInt(in.getShort(MAX_VERSION_OFFSET)),
                in.getInt(SLOTS_OFFSET),
                in.getInt(REGION_OFFSET),
                getReserve(in.get(RESERVE_OFFSET)),
                in.get(PASSED_OFFSET),
                getAddress(in, CLIENT_ADDRESS_OFFSET, 0, in.getShort(CLIENT_PORT_OFFSET)),
                getAddress(in, SERVER_ADDRESS_OFFSET, 1, in.getShort(SERVER_PORT_OFFSET)),
                in.getLong(SEGMENT_OFFSET),
                in.getLong(PROOF_OFFSET),
                in.getLong(TOKEN_OFFSET));
    }

    private static int getReserve(byte logarithm) {
        if (logarithm < 0 || logarithm >= Integer.SIZE - 1) {
            throw new IllegalArgumentException("hello: bad reserve: " + logarithm);
        }
        return logarithm == 0 ? 0 : 1 << logarithm;
    }

    private static InetSocketAddress getAddress(ByteBuffer in, int offset, int index, short port) {
        int family = in.get(FAMILIES_OFFSET + index);
        if (family != 4 && family != 6) {
            throw new IllegalArgumentException("hello: bad address family: " + family);
        }
        byte[] bytes = new byte[family == 4 ? 4 : ADDRESS_LENGTH];
        in.get(offset, bytes);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), Short.toUnsignedInt(port));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("hello: bad address", e);
        }
    }
}
