package org.exsockets.verbs.soft.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.exsockets.verbs.soft.layout.HelloDescriptor.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelloDescriptorTest {
    private static final String GOLDEN_V4 = "45585348" // magic
            + "0001" + "0002" + "00000100" + "00080000" // versions, slots, region
            + "c350" + "1f90" // ports
            + "7f000001" + "00".repeat(12) // client
            + "0a010203" + "00".repeat(12) // server
            + "04" + "04" + "16" + "02" // families, reserve, descriptors
            + "00112233445566ff" // segment
            + "0123456789abcdef" // proof
            + "fedcba9876543210"; // token

    @Test
    void offsetsAreThoseOfThePicture() {
        assertEquals(80, HelloDescriptor.LENGTH);
        assertEquals(0, HelloDescriptor.MAGIC_OFFSET);
        assertEquals(4, HelloDescriptor.MIN_VERSION_OFFSET);
        assertEquals(6, HelloDescriptor.MAX_VERSION_OFFSET);
        assertEquals(8, HelloDescriptor.SLOTS_OFFSET);
        assertEquals(12, HelloDescriptor.REGION_OFFSET);
        assertEquals(16, HelloDescriptor.CLIENT_PORT_OFFSET);
        assertEquals(18, HelloDescriptor.SERVER_PORT_OFFSET);
        assertEquals(20, HelloDescriptor.CLIENT_ADDRESS_OFFSET);
        assertEquals(36, HelloDescriptor.SERVER_ADDRESS_OFFSET);
        assertEquals(52, HelloDescriptor.FAMILIES_OFFSET);
        assertEquals(54, HelloDescriptor.RESERVE_OFFSET);
        assertEquals(55, HelloDescriptor.PASSED_OFFSET);
        assertEquals(56, HelloDescriptor.SEGMENT_OFFSET);
        assertEquals(64, HelloDescriptor.PROOF_OFFSET);
        assertEquals(72, HelloDescriptor.TOKEN_OFFSET);
    }

    @Test
    void ipv4HelloHasGoldenBytes() throws UnknownHostException {
        Hello hello = new Hello(
                1,
                2,
                256,
                524288,
                4 << 20,
                2,
                at("127.0.0.1", 50000),
                at("10.1.2.3", 8080),
                0x00112233445566ffL,
                0x0123456789abcdefL,
                0xfedcba9876543210L);
        assertEquals(GOLDEN_V4, hex(HelloDescriptor.encode(hello)));
        assertEquals(hello, HelloDescriptor.decode(bytes(GOLDEN_V4)));
    }

    @Test
    void ipv6HelloHasGoldenBytes() throws UnknownHostException {
        Hello hello = new Hello(65535, 65535, -1, -2, 0, 0, at("::1", 65535), at("fd00::1:2", 1), 1, -1, 0);
        String golden = "45585348" + "ffffffff" + "ffffffff" + "fffffffe" + "ffff" + "0001" + "00".repeat(15) + "01"
                + "fd00" + "00".repeat(10) + "00010002" + "06060000" + "00".repeat(7) + "01" + "ff".repeat(8)
                + "00".repeat(8);
        assertEquals(golden, hex(HelloDescriptor.encode(hello)));
        assertEquals(hello, HelloDescriptor.decode(bytes(golden)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anyWrongByteOfTheMagicIsRefused(int index) {
        byte[] in = bytes(GOLDEN_V4);
        in[index] ^= 1;
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> HelloDescriptor.decode(in));
        assertTrue(e.getMessage().startsWith("hello: bad magic: "), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 7, 255})
    void unknownAddressFamiliesAreRefused(int family) {
        for (int index = 0; index < 2; index++) {
            byte[] in = bytes(GOLDEN_V4);
            in[52 + index] = (byte) family;
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> HelloDescriptor.decode(in));
            assertTrue(e.getMessage().startsWith("hello: bad address family: "), e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {31, 32, 127, 128, 255})
    void reservesOfImpossibleLengthAreRefused(int logarithm) {
        byte[] in = bytes(GOLDEN_V4);
        in[54] = (byte) logarithm;
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> HelloDescriptor.decode(in));
        assertTrue(e.getMessage().startsWith("hello: bad reserve: "), e.getMessage());
    }

    private static InetSocketAddress at(String host, int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(host), port);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
