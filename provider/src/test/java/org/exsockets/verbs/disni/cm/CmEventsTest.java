package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.exsockets.verbs.disni.VerbsException;
import org.junit.jupiter.api.Test;

/** How long a storm of clients keeps the device's thread from the connections that there are. */
class CmEventsTest {
    private static final int STORM = 10 * CmEvents.AT_ONCE + 1;

    private int waiting;
    private int passed;
    private boolean heard;
    private final CmEvents events = new CmEvents(() -> {
        if (waiting == 0) {
            return false;
        }
        waiting--;
        passed++;
        return true;
    });

    @Test
    void aRoundIsShort() throws VerbsException {
        waiting = STORM;
        long before = events.heardUntilNs();
        for (int i = 1; i <= 10; i++) {
            events.pass(true, 0);
            assertEquals(i * CmEvents.AT_ONCE, passed);
            assertEquals(before, events.heardUntilNs());
        }
        events.pass(true, 0);
        assertEquals(STORM, passed);
        assertTrue(events.heardUntilNs() - before > 0);
    }

    @Test
    void whoeverAsksHearsAfterTheLastEvent() throws VerbsException {
        waiting = STORM;
        events.whenHeard(() -> heard = true);
        while (waiting > 0) {
            assertFalse(heard);
            assertTrue(events.isAskedFor());
            events.pass(true, 0);
        }
        assertEquals(STORM, passed);
        assertTrue(heard);
        assertFalse(events.isAskedFor());
    }

    /** What came after the thread had looked, and before somebody asked, counts. */
    @Test
    void whoeverAsksMakesTheThreadLookAgain() throws VerbsException {
        events.whenHeard(() -> heard = passed == 1);
        waiting = 1;
        events.pass(false, 0);
        assertTrue(heard);
    }

    @Test
    void withoutEventsNothingIsTaken() throws VerbsException {
        waiting = 1;
        events.pass(false, 42);
        assertEquals(0, passed);
        assertEquals(42, events.heardUntilNs());
    }
}
