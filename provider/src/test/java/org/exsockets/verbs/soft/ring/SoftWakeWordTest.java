package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.soft.meet.SoftFixture;
import org.junit.jupiter.api.Test;

/** Sleeping on the words of a segment, besides what every device's word does. */
class SoftWakeWordTest extends SoftFixture {
    @Test
    void whoIsYetToBeAcceptedMaySleepAndIsWokenByTheAcceptor() throws Exception {
        Endpoint a = connectOnly(PARAMETERS);
        CompletableFuture<Boolean> woken = sleepOnWord(a);
        post(accept(listener()), new WorkRequest().send(ByteBuffer.allocate(0), 0, 0));
        assertTrue(woken.get());
    }
}
