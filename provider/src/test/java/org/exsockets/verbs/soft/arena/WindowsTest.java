package org.exsockets.verbs.soft.arena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.memory.Words;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {
    private static final long OFFSET = 4096;

    private final ByteBuffer segment =
            ByteBuffer.allocateDirect(SegmentDescriptor.ARRIVALS_OFFSET).order(ByteOrder.nativeOrder());
    private final Windows owner = new Windows(Words.of(segment), true);
    private final Windows writer = new Windows(Words.of(segment), false);

    @ParameterizedTest
    @ValueSource(longs = {4096, 1L << 30, Integer.MAX_VALUE})
    void whatIsAdvertisedHasThePlaceInIt(long offset) {
        for (int window = 0; window < Windows.COUNT; window++) {
            long address = owner.open(window, offset);
            assertEquals(offset, Windows.offset(address));
            assertEquals(offset + 77, Windows.offset(address + 77));
        }
    }

    @Test
    void anOpenWindowIsEnteredAnyNumberOfTimesAndAClosedOneNever() {
        long address = owner.open(3, OFFSET);
        for (int i = 0; i < 3; i++) {
            assertTrue(writer.tryEnter(address + i));
            writer.leave();
        }
        assertTrue(owner.close(3));
        assertFalse(writer.tryEnter(address));
        assertTrue(owner.close(3), "who was refused is not within");
    }

    @Test
    void aWriterWithinIsSeenUntilItLeaves() {
        long address = owner.open(0, OFFSET);
        assertTrue(writer.tryEnter(address));
        assertFalse(owner.close(0));
        assertFalse(owner.close(0));
        writer.leave();
        assertTrue(owner.close(0));
        assertFalse(writer.tryEnter(address));
    }

    @Test
    void windowsAreClosedOneByOne() {
        long[] addresses = new long[Windows.COUNT];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = owner.open(i, OFFSET);
        }
        assertTrue(writer.tryEnter(addresses[5]));
        for (int i = 0; i < addresses.length; i += 2) {
            assertTrue(owner.close(i));
        }
        assertFalse(owner.close(5));
        writer.leave();
        for (int i = 0; i < addresses.length; i++) {
            boolean open = i % 2 == 1 && i != 5;
            assertEquals(open, writer.tryEnter(addresses[i]), "window " + i);
            writer.leave();
        }
    }

    @Test
    void aWindowThatIsOpenedAgainIsAnother() {
        long before = owner.open(7, OFFSET);
        assertTrue(owner.close(7));
        long after = owner.open(7, OFFSET);
        assertNotEquals(before, after);
        assertTrue(writer.tryEnter(after));
        writer.leave();
        assertFalse(writer.tryEnter(before), "a late ADVERT");
    }

    @Test
    void bothEndsHaveWindowsOfTheirOwn() {
        long ofOwner = owner.open(1, OFFSET);
        long ofWriter = writer.open(1, OFFSET);
        assertTrue(owner.close(1));
        assertTrue(owner.tryEnter(ofWriter));
        assertFalse(writer.tryEnter(ofOwner));
        assertFalse(writer.close(1));
        owner.leave();
        assertTrue(writer.close(1));
    }
}
