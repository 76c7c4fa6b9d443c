package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.exsockets.stream.direct.Receive;
import org.exsockets.stream.direct.Receive.Ending;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many receives outstanding, more than may be advertised, and many small sends: under a scheduler that is fair, though
 * random, every byte arrives.
 */
class ManyReceivesTest {
    private static final long SEED = Long.getLong("exs.test.seed", 1);
    private static final int BYTES = 40_000;

    /** Of all roles, for each byte: far beyond what is needed. */
    private static final int MAX_STEPS_PER_BYTE = 60;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private FakeEndpoint[] ends;
    private StreamEngine sender;
    private StreamEngine receiver;
    private final Deque<Posted> pending = new ArrayDeque<>();
    private Receive filling;
    private int sent;
    private int received;
    private int direct;

    private static byte pattern(int position) {
        return (byte) (position * 31 + (position >>> 8));
    }

    private final class Posted extends Receive {
        private final ProgramGrants.Grant grant = ends[1].grants().lend();

        private Posted(int length, boolean waitsForAll) {
            into(grant.memory(), 0, length, waitsForAll, grant);
        }

        @Override
        protected void onDone() {
            assertEquals(this, pending.poll(), "in their order");
            for (int i = 0; i < received(); i++) {
                assertEquals(pattern(received++), memory().get(i));
            }
            direct += receivedDirect();
            assertTrue(received() > 0 && ending() == Ending.RECEIVED || ending() == Ending.END_OF_STREAM);
            ends[1].grants().giveBack(grant);
        }
    }

    private void send(ByteBuffer bytes, int chunk) {
        bytes.clear().limit(Math.min(chunk, BYTES - sent));
        for (int i = 0; i < bytes.limit(); i++) {
            bytes.put(i, pattern(sent + i));
        }
        sent += sender.outgoing.trySend(bytes);
    }

    private void fill() {
        if (filling == null) {
            filling = receiver.takeWaiting();
        } else {
            int n = receiver.incoming.fill(filling);
            ends[1].read(n);
            Receive taken = filling;
            filling = null;
            receiver.filled(taken, n);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // credits, windows, hidden buffer, bytes of a send, receives, bytes of one, one in so many waits for all,
        // whether they are advertised before the first byte is sent
        "3,   0,  64,   16, 40, 16,  0,  false",
        "3,   32, 64,   16, 40, 40,  3,  false",
        "4,   32, 16,   16, 40, 16,  0,  false",
        "16,  0,  256,  16, 40, 16,  0,  false",
        "64,  32, 256,  16, 40, 16,  0,  true",
        "256, 0,  4096, 16, 32, 200, 2,  true",
        "256, 32, 4096, 16, 40, 16,  0,  true",
        "256, 32, 4096, 16, 40, 16,  0,  false",
        "256, 32, 64,   16, 64, 200, 1,  true",
        "256, 32, 4096, 100, 40, 200, 4, true"
    })
    void everyByteArrives(
            int credits, int windows, int buffer, int chunk, int receives, int wanted, int oneWaits, boolean first) {
        ends = FakeEndpoint.pair(buffer, buffer, credits);
        ends[1].windows(windows);
        sender = new StreamEngine(ends[0]);
        receiver = new StreamEngine(ends[1]);
        ByteBuffer bytes = ByteBuffer.allocate(chunk);
        for (int i = 0; first && i < receives; i++) {
            post(receives, wanted, oneWaits);
        }
        ends[1].deliver(receives);
        sender.progress();
        assertEquals(first, sender.outgoing.direct.hasAdverts());
        int steps = 0;
        for (; received < BYTES; steps++) {
            assertTrue(
                    steps < BYTES * MAX_STEPS_PER_BYTE,
                    "seed=" + SEED + ": stalled: sent " + sent + ", received " + received + ", pending "
                            + pending.size() + ", adverts " + sender.outgoing.direct.hasAdverts() + ", owes "
                            + sender.owesOutput()
                            + " and " + receiver.owesOutput());
            switch (random.nextInt(8)) {
                case 0 -> send(bytes, chunk);
                case 1 -> post(receives, wanted, oneWaits);
                case 2 -> fill();
                case 3 -> sender.progress();
                case 4 -> receiver.progress();
                case 5 -> ends[0].deliver(1 + random.nextInt(4));
                case 6 -> ends[1].deliver(1 + random.nextInt(4));
                default -> finishOnceAllIsSent();
            }
            assertNull(sender.failure());
            assertNull(receiver.failure());
        }
        System.out.println("credits=" + credits + ", windows=" + windows + ": steps=" + steps + ", direct=" + direct);
        assertEquals(BYTES, received);
        assertTrue(!first || direct > 0, "no bytes went directly");
    }

    private void finishOnceAllIsSent() {
        if (sent == BYTES) {
            sender.outgoing.finish(); // For receives that wait for more.
        }
    }

    private void post(int receives, int wanted, int oneWaits) {
        if (pending.size() < receives && filling == null) {
            Posted next = new Posted(wanted, oneWaits > 0 && random.nextInt(oneWaits) == 0);
            pending.add(next);
            receiver.post(next);
        }
    }
}
