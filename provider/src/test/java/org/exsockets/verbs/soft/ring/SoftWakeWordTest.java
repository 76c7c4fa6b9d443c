package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.WakeWord;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.soft.meet.SoftFixture;
import org.junit.jupiter.api.Test;

/** Sleeping on the words of a segment. A sleep that nobody ends takes so long that the test fails. */
class SoftWakeWordTest extends SoftFixture {
    private static final long LONG_NS = TimeUnit.HOURS.toNanos(10);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void whoIsYetToBeAcceptedMaySleepAndIsWokenByTheAcceptor() throws Exception {
        Endpoint a = connectOnly(PARAMETERS);
        CompletableFuture<Boolean> woken = sleep(a);
        post(accept(listener()), message());
        assertTrue(woken.get());
    }

    @Test
    void anArrivalEndsTheSleep() throws Exception {
        Pair pair = connect();
        CompletableFuture<Boolean> woken = sleep(pair.b());
        post(pair.a(), message());
        assertTrue(woken.get());
        assertEquals(0, pair.b().queuePair().completionChannel().drain(), "no event goes with it");
    }

    @Test
    void theEndOfTheConnectionEndsTheSleep() throws Exception {
        Pair pair = connect();
        CompletableFuture<Boolean> woken = sleep(pair.a());
        pair.b().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        assertTrue(woken.get());
        assertEquals(DisconnectReason.ORDERLY, pair.a().queuePair().peerReason());
    }

    @Test
    void anotherThreadEndsTheSleepAlsoOneThatIsAboutToBegin() throws Exception {
        Pair pair = connect();
        CompletableFuture<Boolean> woken = sleep(pair.a());
        word(pair.a()).wake();
        assertTrue(woken.get());
        word(pair.a()).arm();
        word(pair.a()).wake();
        assertTrue(word(pair.a()).sleep(LONG_NS));
    }

    @Test
    void theTimeEndsTheSleep() throws Exception {
        Pair pair = connect();
        word(pair.a()).arm();
        while (word(pair.a()).sleep(SHORT_NS)) {
            word(pair.a()).arm(); // Woken for no reason.
        }
    }

    /** Arms, and lets another thread sleep. {@return what the sleep says} */
    private static CompletableFuture<Boolean> sleep(Endpoint endpoint) {
        WakeWord word = word(endpoint);
        word.arm();
        CompletableFuture<Boolean> woken = new CompletableFuture<>();
        Thread sleeper = new Thread(() -> woken.complete(word.sleep(LONG_NS)), "sleeper");
        sleeper.setDaemon(true);
        sleeper.start();
        return woken;
    }

    private static WakeWord word(Endpoint endpoint) {
        return endpoint.queuePair().wakeWord();
    }

    private static WorkRequest message() {
        return new WorkRequest().send(ByteBuffer.allocate(0), 0, 0);
    }
}
