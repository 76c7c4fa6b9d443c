package org.exsockets.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketMessageDescriptorTest {
    private static final int OFFSET = MessageDescriptor.LENGTH;

    @Test
    void typesHaveTheNumbersOfTheWire() {
        int[] types = {
            PacketMessageDescriptor.CREDIT,
            PacketMessageDescriptor.ADVERT,
            PacketMessageDescriptor.PACKET,
            PacketMessageDescriptor.CANCEL,
            PacketMessageDescriptor.CANCELLED,
            PacketMessageDescriptor.FIN,
            PacketMessageDescriptor.EXPORT,
            PacketMessageDescriptor.UNEXPORT,
            PacketMessageDescriptor.UNEXPORTED,
            PacketMessageDescriptor.NOTIFY
        };
        assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, types);
    }

    /** Each message as its table says, with all of its fields, between bytes that stay as they are. */
    @ParameterizedTest
    @CsvSource({
        // type, credits, id, total, address, rkey, offset, length, golden bytes
        "1, 65535, 0, 0, 0, 0, 0, 0,"
                + " 0100ffff00000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000",
        "2, 7, 65535, 2147483647, 1234605616436508552, -1698898192, 2097152, 1048576,"
                + " 020000070000ffff 000000007fffffff 1122334455667788 9abcdef000200000 0000000000100000",
        "3, 0, 258, 16909060, 0, 0, 0, 66051,"
                + " 0300000000000102 0000000001020304 0000000000000000 0000000000000000 0000000000010203",
        "4, 1, 3, 0, 0, 0, 0, 0,"
                + " 0400000100000003 0000000000000000 0000000000000000 0000000000000000 0000000000000000",
        "5, 2, 3, 0, 0, 0, 0, 0,"
                + " 0500000200000003 0000000000000000 0000000000000000 0000000000000000 0000000000000000",
        "6, 3, 0, 72623859790382856, 0, 0, 0, 0,"
                + " 0600000300000000 0102030405060708 0000000000000000 0000000000000000 0000000000000000",
        "7, 4, 305419896, 0, 1234605616436508552, -1698898192, 0, 2147483647,"
                + " 0700000412345678 0000000000000000 1122334455667788 9abcdef000000000 000000007fffffff",
        "8, 5, 305419896, 0, 0, 0, 0, 0,"
                + " 0800000512345678 0000000000000000 0000000000000000 0000000000000000 0000000000000000",
        "9, 6, 305419896, 0, 0, 0, 0, 0,"
                + " 0900000612345678 0000000000000000 0000000000000000 0000000000000000 0000000000000000",
        "10, 65244, 9, 4294967296, 0, 305419896, 0, 7,"
                + " 0a00fedc00000009 0000000100000000 0000000000000000 1234567800000000 0000000000000007"
    })
    void messagesAreGoldenBytes(
            int type,
            int credits,
            int id,
            long total,
            long address,
            int rkey,
            int offset,
            long length,
            String goldenBytes) {
        ByteBuffer out = MessageDescriptor.allocate(3);
        assertEquals(120, out.capacity());
        assertEquals(ByteOrder.BIG_ENDIAN, out.order());
        Arrays.fill(out.array(), (byte) 0xEE);
        MessageDescriptor.encode(out, OFFSET, type, credits, id, total);
        if (address != 0 || rkey != 0 || offset != 0 || length != 0) {
            PacketMessageDescriptor.memory(out, OFFSET, address, rkey, offset, length);
        }
        String untouched = "ee".repeat(40);
        String golden = goldenBytes.replace(" ", "");
        assertEquals(untouched + golden + untouched, HexFormat.of().formatHex(out.array()));
        assertEquals(0, out.position());

        ByteBuffer in = ByteBuffer.wrap(HexFormat.of().parseHex(untouched + golden));
        assertEquals(type, MessageDescriptor.type(in, OFFSET));
        assertEquals(credits, MessageDescriptor.credits(in, OFFSET));
        assertEquals(id, MessageDescriptor.id(in, OFFSET));
        assertEquals(total, PacketMessageDescriptor.total(in, OFFSET));
        assertEquals(address, MessageDescriptor.address(in, OFFSET));
        assertEquals(rkey, MessageDescriptor.rkey(in, OFFSET));
        assertEquals(offset, PacketMessageDescriptor.offset(in, OFFSET));
        assertEquals(length, MessageDescriptor.length(in, OFFSET));
    }

    @Test
    void fieldsOfTheGreatestValuesAreReadWithTheirSigns() {
        ByteBuffer in = ByteBuffer.wrap(HexFormat.of().parseHex("ff".repeat(40)));
        assertEquals(-1, MessageDescriptor.type(in, 0));
        assertEquals(65535, MessageDescriptor.credits(in, 0));
        assertEquals(-1, MessageDescriptor.id(in, 0));
        assertEquals(-1, PacketMessageDescriptor.total(in, 0));
        assertEquals(-1, MessageDescriptor.length(in, 0));
    }
}
