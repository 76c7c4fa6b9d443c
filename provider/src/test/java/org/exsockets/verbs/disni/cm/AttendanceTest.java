package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On a clock of its own, which begins shortly before it overflows. */
class AttendanceTest {
    private final List<String> done = new ArrayList<>();
    private long nowNs = Long.MAX_VALUE - 1;
    private final Attendance attendance = new Attendance(() -> done.add("arm"), () -> done.add("look"), () -> nowNs);

    @Test
    void itIsDueAGraceAfterTheFirstEvent() {
        assertTrue(attendance.begin());
        assertEquals(Attendance.GRACE_NS, attendance.leftNs());
        nowNs += Attendance.GRACE_NS / 2;
        assertFalse(attendance.begin(), "it has begun");
        assertEquals(Attendance.GRACE_NS / 2, attendance.leftNs());
        nowNs += Attendance.GRACE_NS;
        assertTrue(attendance.leftNs() < 0);
    }

    @Test
    void theQueueIsArmedBeforeTheLook() {
        attendance.begin();
        attendance.run();
        assertEquals(List.of("arm", "look"), done);
        assertTrue(attendance.begin(), "the next event");
    }

    @Test
    void nothingIsDoneWithAQueueThatIsDestroyed() {
        attendance.begin();
        attendance.end();
        attendance.run();
        assertEquals(List.of(), done);
    }
}
