package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.exsockets.verbs.soft.host.SpareMemory;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.Segment;
import org.exsockets.verbs.soft.shared.SegmentFixture;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory behind the regions of a segment: who takes it, what it costs, and what happens where there is none. */
class ReservesTest {
    private static final int REGION = 4096;
    private static final int RESERVE = 1 << 16;
    private static final SharedBudget PLENTY = new SharedBudget(new SpareMemory(Long.MAX_VALUE), Long.MAX_VALUE);
    private static final int THERE = SegmentDescriptor.length(4, REGION);

    private Segment segment;

    @BeforeEach
    void makeSegment() throws IOException {
        segment = SegmentFixture.newSegment(4, REGION, RESERVE);
        segment.reset(1);
    }

    @AfterEach
    void removeSegment() {
        segment.unmap();
    }

    @Test
    void eachEndWritesToItsOwnAndReadsThePeers() {
        Reserves a = reserves(true);
        Reserves b = reserves(false);
        assertNull(a.ofPeer(1));
        Reserves.WritableRegion ofA = a.take(RESERVE);
        Reserves.WritableRegion ofB = b.take(RESERVE / 2);
        assertEquals(RESERVE, ofA.lengthBytes);
        assertEquals(RESERVE / 2, ofB.lengthBytes);
        ofA.memory.put(RESERVE - 1, (byte) 1);
        ofB.memory.put(0, (byte) 2);
        assertEquals(RESERVE, b.ofPeer(1).capacity());
        assertEquals(RESERVE / 2, a.ofPeer(1).capacity());
        assertEquals(1, b.ofPeer(1).get(RESERVE - 1));
        assertEquals(2, a.ofPeer(1).get(0));
        assertTrue(ofA.key != ofB.key && ofA.key > 2 && ofB.key > 2);
    }

    @Test
    void whatIsNotTakenCostsNothing() {
        assertEquals(THERE, segment.occupiedBytes());
        reserves(true).take(RESERVE / 2);
        assertEquals(THERE + RESERVE / 2, segment.occupiedBytes());
    }

    @Test
    void pagesAreThereForTheNextConnection() {
        reserves(false).take(RESERVE);
        segment.reset(2);
        assertNull(reserves(true).ofPeer(1), "taken by the connection before");
        assertEquals(RESERVE, scarce(false).take(RESERVE).lengthBytes);
    }

    @Test
    void anEndThatMayHaveLessTakesLess() {
        assertEquals(RESERVE / 4, new Reserves(PLENTY, segment, true, RESERVE / 4).take(RESERVE).lengthBytes);
        assertEquals(RESERVE, new Reserves(PLENTY, segment, false, 2 * RESERVE).take(2 * RESERVE).lengthBytes);
    }

    @Test
    void anEndThatMayHaveNoMoreThanItsRegionHasNone() {
        Reserves none = new Reserves(PLENTY, segment, true, REGION);
        assertEquals(0, none.bytes());
        assertNull(none.take(RESERVE));
    }

    @Test
    void whereSharedMemoryIsScarceThereIsNoneForAWhile() {
        Reserves scarce = scarce(true);
        assertEquals(RESERVE, scarce.bytes());
        assertNull(scarce.take(RESERVE));
        assertEquals(0, scarce.bytes());
        assertNull(reserves(false).ofPeer(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 1, REGION / 2, REGION + 1, 2 * RESERVE, Integer.MAX_VALUE})
    void aPeerThatSaysItHasTakenWhatCannotBeHasTakenNothing(int bytes) {
        segment.taken(false, bytes);
        assertNull(reserves(true).ofPeer(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 2 * RESERVE, Integer.MAX_VALUE})
    void whatAPeerSaysOfItsPagesIsBounded(int bytes) {
        segment.there(false, bytes);
        assertEquals(THERE + RESERVE, segment.occupiedBytes());
    }

    @Nested
    class TheSecond {
        private static final int FIRST = 4 << 20;
        private static final int SECOND = 16 << 20;

        private Segment large;

        @BeforeEach
        void makeSegment() throws IOException {
            large = SegmentFixture.newSegment(4, REGION, 2 * SECOND);
            large.reset(1);
        }

        @AfterEach
        void removeSegment() {
            large.unmap();
        }

        @Test
        void isTakenBehindTheFirstAndOnce() {
            Reserves a = both(PLENTY, true);
            Reserves b = both(PLENTY, false);
            assertEquals(FIRST, a.bytes());
            Reserves.WritableRegion first = a.take(FIRST);
            assertNull(b.ofPeer(2));
            assertEquals(SECOND, a.bytes());
            Reserves.WritableRegion second = a.take(SECOND);
            assertEquals(0, a.bytes());
            assertNull(a.take(SECOND));
            assertEquals(SECOND, second.lengthBytes);
            assertTrue(first.key != second.key);
            first.memory.put(FIRST - 1, (byte) 1);
            second.memory.put(0, (byte) 2);
            second.memory.put(SECOND - 1, (byte) 3);
            assertEquals(1, b.ofPeer(1).get(FIRST - 1), "told of when both are taken");
            assertEquals(2, b.ofPeer(2).get(0));
            assertEquals(3, b.ofPeer(2).get(SECOND - 1));
            assertEquals(FIRST, both(PLENTY, false).bytes(), "of the other direction");
        }

        @Test
        void isNoLongerThanTheFirstOnlyIfItIsNotTaken() {
            Reserves a = both(PLENTY, true);
            a.take(FIRST);
            assertNull(a.take(FIRST), "it would be no longer");
            assertEquals(2 * FIRST, a.take(2 * FIRST).lengthBytes);
        }

        @Test
        void isAtMostAQuarterOfWhatIsLeft() {
            Reserves few = both(new SharedBudget(new SpareMemory(Long.MAX_VALUE), 4L * SECOND - 1), true);
            few.take(FIRST);
            assertNull(few.take(SECOND));
            assertEquals(0, few.bytes(), "not for a while");
            Reserves enough = both(new SharedBudget(new SpareMemory(Long.MAX_VALUE), 4L * SECOND), false);
            enough.take(FIRST);
            assertEquals(SECOND, enough.take(SECOND).lengthBytes);
        }

        @ParameterizedTest
        @ValueSource(
                ints = {
                    FIRST + 2 * SECOND,
                    FIRST + SECOND + 2 * FIRST,
                    FIRST + Integer.MIN_VALUE,
                    SECOND + 2 * SECOND,
                    REGION / 2 + SECOND,
                    2 * SECOND,
                    -1
                })
        void aPeerThatSaysItHasTakenWhatCannotBeHasNone(int bytes) {
            large.taken(false, bytes);
            assertNull(both(PLENTY, true).ofPeer(2));
        }

        @ParameterizedTest
        @CsvSource({
            // first, bytes of TCP's tuning, second
            "4194304, 37748736, 33554432",
            "4194304, 10485760, 8388608",
            "4194304, 4194305, 8388608",
            "4194304, 4194304, 0",
            "4194304, 0, 0",
            "2097152, 37748736, 0",
            "8388608, 37748736, 33554432",
            "16777216, 4000000000, 33554432",
            "33554432, 4000000000, 0",
            "67108864, 4000000000, 0"
        })
        void hasWhatTcpWouldBufferBeyondTheFirst(int first, long tcp, int second) {
            SharedBudget budget = new SharedBudget(new SpareMemory(Long.MAX_VALUE, tcp), Long.MAX_VALUE);
            assertEquals(second, budget.secondReserveBytes(first));
        }

        private Reserves both(SharedBudget budget, boolean isA) {
            return new Reserves(budget, large, isA, FIRST);
        }
    }

    private Reserves reserves(boolean isA) {
        return new Reserves(PLENTY, segment, isA, RESERVE);
    }

    private Reserves scarce(boolean isA) {
        return new Reserves(new SharedBudget(new SpareMemory(0), Long.MAX_VALUE), segment, isA, RESERVE);
    }
}
