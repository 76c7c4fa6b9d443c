package org.exsockets.verbs.soft;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What the connecting end writes to the Unix socket, at once and once: 104 bytes, big-endian (network order).
 *
 * <pre>
 *   0        4     6     8       12      16    18    20            36            52         56        96      104
 *   +--------+-----+-----+-------+-------+-----+-----+-------------+-------------+----------+---------+-------+
 *   | "EXSH" | min | max | slots | region|cport|sport| client addr | server addr | families | segment | proof |
 *   +--------+-----+-----+-------+-------+-----+-----+-------------+-------------+----------+---------+-------+
 * </pre>
 *
 * <p>min, max: versions of the upper protocol that the client speaks (16 bit, unsigned). slots, region: as in
 * {@link SegmentDescriptor}. cport, sport: TCP ports of both ends; cport 0: the client has none
 * yet ({@link ClientPort}). Addresses: IPv6 in 16 bytes or IPv4 in the first 4;
 * families: two bytes, 4 or 6 each, then the logarithm to base 2 of reserve as in {@link SegmentDescriptor}, 0: none, then a zero
 * byte. segment: the segment's file name inside the private directory,
 * ASCII, padded with zero bytes. proof: a number the client has also written into the segment, which only a process of
 * the same user can ({@link SegmentDescriptor#PROOF_OFFSET}). The acceptor checks every field; what does not fit ends the hand-shake.
 */
final class HelloDescriptor {
    static final int LENGTH = 104;

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
    static final int SEGMENT_OFFSET = 56;
    static final int SEGMENT_LENGTH = 40;
    static final int PROOF_OFFSET = SEGMENT_OFFSET + SEGMENT_LENGTH;

    private static final int ADDRESS_LENGTH = 16;

    private HelloDescriptor() {}

    /** A decoded hello; nothing in it has been checked against the listener yet. */
    record Hello(
            int minVersion,
            int maxVersion,
            int slots,
            int regionBytes,
            int reserveBytes,
            InetSocketAddress client,
            InetSocketAddress server,
            String segment,
            long proof) {}

    /** {@return an encoded hello, ready to be written} */
    static ByteBuffer encode(Hello hello) {
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
        byte[] name = hello.segment.getBytes(StandardCharsets.US_ASCII);
        if (name.length > SEGMENT_LENGTH) {
            throw new IllegalArgumentException("hello: segment name too long: length=" + name.length);
        }
        out.put(SEGMENT_OFFSET, name);
        if (hello.reserveBytes > 0) {
            out.put(RESERVE_OFFSET, (byte) Integer.numberOfTrailingZeros(hello.reserveBytes));
        }
        out.putLong(PROOF_OFFSET, hello.proof);
        return out;
    }

    private static void putAddress(ByteBuffer out, int offset, int index, InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        out.put(offset, bytes);
        out.put(FAMILIES_OFFSET + index, (byte) (bytes.length == 4 ? 4 : 6));
    }

    /**
     * Decodes {@link #LENGTH} bytes from position 0.
     *
     * @throws IllegalArgumentException if they are not a hello; the message says why
     */
    static Hello decode(ByteBuffer in) {
        in.order(ByteOrder.BIG_ENDIAN);
        if (in.getInt(MAGIC_OFFSET) != MAGIC) {
            throw new IllegalArgumentException("hello: bad magic: " + Integer.toHexString(in.getInt(MAGIC_OFFSET)));
        }
        byte[] name = new byte[SEGMENT_LENGTH];
        in.get(SEGMENT_OFFSET, name);
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return new Hello(
                Short.toUnsignedInt(in.getShort(MIN_VERSION_OFFSET)),
                Short.toUnsignedInt(in.getShort(MAX_VERSION_OFFSET)),
                in.getInt(SLOTS_OFFSET),
                in.getInt(REGION_OFFSET),
                getReserve(in.get(RESERVE_OFFSET)),
                getAddress(in, CLIENT_ADDRESS_OFFSET, 0, in.getShort(CLIENT_PORT_OFFSET)),
                getAddress(in, SERVER_ADDRESS_OFFSET, 1, in.getShort(SERVER_PORT_OFFSET)),
                new String(name, 0, length, StandardCharsets.US_ASCII),
                in.getLong(PROOF_OFFSET));
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
