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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        assertNull(a.ofPeer());
        Reserves.WritableRegion ofA = a.take(RESERVE);
        Reserves.WritableRegion ofB = b.take(RESERVE / 2);
        assertEquals(RESERVE, ofA.lengthBytes);
        assertEquals(RESERVE / 2, ofB.lengthBytes);
        ofA.memory.put(RESERVE - 1, (byte) 1);
        ofB.memory.put(0, (byte) 2);
        assertEquals(RESERVE, b.ofPeer().capacity());
        assertEquals(RESERVE / 2, a.ofPeer().capacity());
        assertEquals(1, b.ofPeer().get(RESERVE - 1));
        assertEquals(2, a.ofPeer().get(0));
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
        assertNull(reserves(true).ofPeer(), "taken by the connection before");
        assertEquals(RESERVE, scarce(false).take(RESERVE).lengthBytes);
    }

    @Test
    void whoComingBytesWaitsForFollowsIntoTheReserve() {
        Reserves a = reserves(true);
        Reserves b = reserves(false);
        Reserves.WritableRegion ofA = a.take(RESERVE);
        b.ofPeer();
        a.coming().tell(ofA.memory, RESERVE / 2, RESERVE / 4);
        assertEquals(RESERVE / 4, b.coming().bringNearer());
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
        assertNull(reserves(false).ofPeer());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 1, REGION / 2, REGION + 1, 2 * RESERVE, Integer.MAX_VALUE})
    void aPeerThatSaysItHasTakenWhatCannotBeHasTakenNothing(int bytes) {
        segment.taken(false, bytes);
        assertNull(reserves(true).ofPeer());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 2 * RESERVE, Integer.MAX_VALUE})
    void whatAPeerSaysOfItsPagesIsBounded(int bytes) {
        segment.there(false, bytes);
        assertEquals(THERE + RESERVE, segment.occupiedBytes());
    }

    private Reserves reserves(boolean isA) {
        return new Reserves(PLENTY, segment, isA, RESERVE);
    }

    private Reserves scarce(boolean isA) {
        return new Reserves(new SharedBudget(new SpareMemory(0), Long.MAX_VALUE), segment, isA, RESERVE);
    }
}
