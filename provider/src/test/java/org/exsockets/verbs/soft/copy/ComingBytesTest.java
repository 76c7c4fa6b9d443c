package org.exsockets.verbs.soft.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.memory.Words;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComingBytesTest {
    private static final int SLOTS = 8;
    private static final int REGION_BYTES = 128 << 10;
    private static final int LONG = 16 << 10;
    private static final int PART = 2 << 10;

    private final ByteBuffer segment = ByteBuffer.allocateDirect(SegmentDescriptor.length(SLOTS, REGION_BYTES))
            .order(ByteOrder.nativeOrder());
    private final ComingBytes a = new ComingBytes(Words.of(segment), true, SLOTS, REGION_BYTES);
    private final ComingBytes b = new ComingBytes(Words.of(segment), false, SLOTS, REGION_BYTES);
    private final int regionOfB = SegmentDescriptor.regionOffset(false, SLOTS, REGION_BYTES);

    @Test
    void whatHasComeIsFetchedOnce() {
        assertEquals(0, b.bringNearer());
        a.tell(segment, regionOfB + 100, PART);
        assertEquals(PART, b.bringNearer());
        assertEquals(0, b.bringNearer());
        a.tell(segment, regionOfB + 100, 3 * PART);
        assertEquals(2 * PART, b.bringNearer());
        assertEquals(0, b.bringNearer());
    }

    @Test
    void eachDirectionHasItsOwn() {
        a.tell(segment, regionOfB, PART);
        assertEquals(0, a.bringNearer());
        b.tell(segment, SegmentDescriptor.regionOffset(true, SLOTS, REGION_BYTES), 2 * PART);
        assertEquals(2 * PART, a.bringNearer());
        assertEquals(PART, b.bringNearer());
    }

    @Test
    void anotherWriteIsFetchedFromItsBeginning() {
        a.tell(segment, regionOfB, 4 * PART);
        b.bringNearer();
        a.tell(segment, regionOfB + LONG, 5 * PART);
        assertEquals(5 * PART, b.bringNearer());
        a.tell(segment, regionOfB + LONG, PART);
        assertEquals(PART, b.bringNearer(), "once round the ring");
    }

    @Test
    void theWholeRegionIsFetchedAndNotAByteMore() {
        a.tell(segment, regionOfB + REGION_BYTES - LONG, LONG);
        assertEquals(LONG, b.bringNearer());
        a.tell(segment, regionOfB + REGION_BYTES - LONG, LONG + 1);
        assertEquals(0, b.bringNearer());
    }

    @Test
    void whatIsLongerThanAnyWriteIsPassedOver() {
        a.tell(segment, regionOfB, ComingBytes.MAX_BYTES);
        assertEquals(ComingBytes.MAX_BYTES, b.bringNearer());
        a.tell(segment, regionOfB, ComingBytes.MAX_BYTES + 1);
        assertEquals(0, b.bringNearer());
    }

    @Test
    void theReserveIsFollowedOnceThePeerWritesThere() {
        ByteBuffer reserve = ByteBuffer.allocateDirect(LONG);
        a.tell(reserve, 0, PART);
        assertEquals(0, b.bringNearer(), "there is none");
        b.follow(reserve);
        a.tell(reserve, 0, 2 * PART);
        assertEquals(PART, b.bringNearer());
        a.tell(reserve, LONG - PART, PART);
        assertEquals(PART, b.bringNearer());
        a.tell(reserve, LONG - PART, PART + 1);
        assertEquals(0, b.bringNearer(), "beyond its end");
        a.tell(segment, regionOfB, PART);
        assertEquals(PART, b.bringNearer());
    }

    private static final long[] IMPOSSIBLE = {
        -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 0x7fff_ffffL, 0x8000_0000L, 0x1000_0000_0001L, 0x7fff_ffff_7fff_ffffL
    };

    @Test
    void aPeerMaySayWhatItLikes() {
        b.follow(ByteBuffer.allocateDirect(PART));
        for (long first : IMPOSSIBLE) {
            for (long second : IMPOSSIBLE) {
                say(first);
                b.bringNearer();
                say(second);
                assertEquals(0, b.bringNearer(), Long.toHexString(first) + ", " + Long.toHexString(second));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MIN_VALUE + 4 * PART, Integer.MAX_VALUE, 4 * PART + 1, -LONG})
    void aWriteThatBeganImpossiblyIsFetchedFromItsBeginning(int bytes) {
        b.follow(ByteBuffer.allocateDirect(LONG));
        for (boolean inReserve : new boolean[] {false, true}) {
            int at = inReserve ? 0 : regionOfB;
            say(SegmentDescriptor.coming(inReserve, at, 0) | Integer.toUnsignedLong(bytes));
            b.bringNearer();
            say(SegmentDescriptor.coming(inReserve, at, 4 * PART));
            assertEquals(4 * PART, b.bringNearer());
        }
    }

    private void say(long coming) {
        Words.of(segment).longRelease(SegmentDescriptor.comingOffset(true), coming);
    }
}
