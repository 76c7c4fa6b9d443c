package org.exsockets.es.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.api.Event;
import org.junit.jupiter.api.Test;

class EventRingTest {
    @Test
    void anArrayWithAnotherEventTakesNone() {
        EventRing ring = new EventRing(2, new AtomicBoolean());
        for (int id = 1; id <= 2; id++) {
            Operation done = new Operation();
            done.id = id;
            done.type = Event.Type.RECEIVE;
            ring.reserve();
            ring.add(done, Event.Status.DONE, null);
        }
        Event[] into = {new QueuedEvent(), null};
        assertThrows(IllegalArgumentException.class, () -> ring.take(into));
        into[1] = new QueuedEvent();
        assertEquals(2, ring.take(into));
        assertEquals(1, into[0].operation());
        assertEquals(2, into[1].operation());
    }
}
