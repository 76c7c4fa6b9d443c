package org.exsockets.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class MessageDescriptorTest {
    private static final int OFFSET = MessageDescriptor.LENGTH;

    @Test
    void offsetsAreThoseOfThePicture() {
        assertEquals(40, MessageDescriptor.LENGTH);
        assertEquals(0, MessageDescriptor.TYPE_OFFSET);
        assertEquals(1, MessageDescriptor.FLAGS_OFFSET);
        assertEquals(2, MessageDescriptor.CREDITS_OFFSET);
        assertEquals(4, MessageDescriptor.ID_OFFSET);
        assertEquals(8, MessageDescriptor.POSITION_OFFSET);
        assertEquals(16, MessageDescriptor.ADDRESS_OFFSET);
        assertEquals(24, MessageDescriptor.RKEY_OFFSET);
        assertEquals(28, MessageDescriptor.PHASE_OFFSET);
        assertEquals(32, MessageDescriptor.LENGTH_OFFSET);
    }

    @Test
    void typesHaveTheNumbersOfTheWire() {
        int[] types = {
            MessageDescriptor.CREDIT,
            MessageDescriptor.ACK,
            MessageDescriptor.PLACED,
            MessageDescriptor.FIN,
            MessageDescriptor.ADVERT,
            MessageDescriptor.CANCEL,
            MessageDescriptor.CANCELLED,
            MessageDescriptor.NEWBUF,
            MessageDescriptor.SWITCHED,
            MessageDescriptor.URGENT
        };
        assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 12}, types);
        assertEquals(1, MessageDescriptor.FLAG_WAIT_ALL);
        assertEquals(1, MessageDescriptor.FLAG_WAITED);
    }

    @Test
    void encodesGoldenBytesAndNothingAroundThem() {
        ByteBuffer out = MessageDescriptor.allocate(3);
        assertEquals(120, out.capacity());
        assertEquals(ByteOrder.BIG_ENDIAN, out.order());
        Arrays.fill(out.array(), (byte) 0xEE);

        MessageDescriptor.encode(out, OFFSET, MessageDescriptor.PLACED, 0xFEDC, 0x12345678, 0x0102030405060708L);

        String untouched = "ee".repeat(40);
        String golden = "03" + "00" + "fedc" + "12345678" + "0102030405060708" + "00".repeat(24);
        assertEquals(untouched + golden + untouched, HexFormat.of().formatHex(out.array()));
        assertEquals(0, out.position());
    }

    @Test
    void tellsOfPlacedBytesInGoldenBytes() {
        ByteBuffer out = MessageDescriptor.allocate(1);
        MessageDescriptor.encodePlaced(out, 0xFEDC, 3, 0x0102030405L, true);
        String rest = "fedc" + "00000003" + "0000000102030405" + "00".repeat(24);
        assertEquals("03" + "01" + rest, HexFormat.of().formatHex(out.array()));
        MessageDescriptor.encodePlaced(out, 0xFEDC, 3, 0x0102030405L, false);
        assertEquals("03" + "00" + rest, HexFormat.of().formatHex(out.array()));
    }

    @Test
    void decodesGoldenBytes() {
        byte[] bytes = HexFormat.of()
                .parseHex("00".repeat(40) + "04" + "00" + "ffff" + "ffffffff" + "7fffffffffffffff" + "00".repeat(24));
        ByteBuffer in = ByteBuffer.wrap(bytes);
        assertEquals(MessageDescriptor.FIN, MessageDescriptor.type(in, OFFSET));
        assertEquals(65535, MessageDescriptor.credits(in, OFFSET));
        assertEquals(-1, MessageDescriptor.id(in, OFFSET));
        assertEquals(Long.MAX_VALUE, MessageDescriptor.position(in, OFFSET));
    }

    @Test
    void tellsOfMemoryInGoldenBytes() {
        ByteBuffer out = MessageDescriptor.allocate(3);
        Arrays.fill(out.array(), (byte) 0xEE);

        MessageDescriptor.encodeMemory(
                out, OFFSET, MessageDescriptor.NEWBUF, 7, 1, 0x1122334455667788L, 0x9ABCDEF0, 0x0040_0000L);

        String untouched = "ee".repeat(40);
        String golden = "08" + "00" + "0007" + "00000001" + "0000000000000000" + "1122334455667788" + "9abcdef0"
                + "00000000" + "0000000000400000";
        assertEquals(untouched + golden + untouched, HexFormat.of().formatHex(out.array()));
        assertEquals(0x1122334455667788L, MessageDescriptor.address(out, OFFSET));
        assertEquals(0x9ABCDEF0, MessageDescriptor.rkey(out, OFFSET));
        assertEquals(0x0040_0000L, MessageDescriptor.length(out, OFFSET));
    }

    @Test
    void aSwitchTellsGenerationAndPosition() {
        ByteBuffer out = MessageDescriptor.allocate(1);
        MessageDescriptor.encode(out, 0, MessageDescriptor.SWITCHED, 0, 2, 0x0001_0000L);
        assertEquals(
                "09" + "00" + "0000" + "00000002" + "0000000000010000" + "00".repeat(24),
                HexFormat.of().formatHex(out.array()));
    }
}
