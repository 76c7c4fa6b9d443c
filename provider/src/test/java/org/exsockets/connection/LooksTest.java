package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.config.SettingsReader;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.SpinLoop;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How often a read asks a device that tells only when it is asked, over shared memory that pretends to be one: what has
 * come shows at the look that the test names.
 */
class LooksTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(64 << 10, 64 << 10, 64, 1, 1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ByteBuffer target = ByteBuffer.allocate(256);
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger arms = new AtomicInteger();

    /** The look that finds what has come; a later one does, too. */
    private volatile int finding = 1;

    private ExsConnection reader;
    private ExsConnection writer;

    /** Messages that were sent. */
    private volatile int sent;

    /** Between looks it tells what the latest one has found. */
    private final class Asked implements CompletionQueue {
        private final CompletionQueue real;
        private volatile int found;
        private volatile int taken;

        Asked(CompletionQueue real) {
            this.real = real;
        }

        @Override
        public void look() {
            if (looks.incrementAndGet() >= finding) {
                found = sent;
            }
        }

        @Override
        public boolean hasFound() {
            return taken < found && !real.isEmpty();
        }

        @Override
        public boolean isEmpty() {
            if (!hasFound()) {
                look();
            }
            return !hasFound();
        }

        @Override
        public boolean poll(WorkCompletion into) {
            if (!hasFound() || !real.poll(into)) {
                return false;
            }
            taken++;
            return true;
        }

        @Override
        public void requestNotification() {
            arms.incrementAndGet();
            real.requestNotification();
        }
    }

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        writer = new ExsConnection(ends.connected());
        QueuePair real = ends.accepted().queuePair();
        CompletionQueue asked = new Asked(real.completionQueue());
        QueuePair queuePair = Replacing.in(QueuePair.class, real, "completionQueue", () -> asked);
        reader = new ExsConnection(Replacing.in(Endpoint.class, ends.accepted(), "queuePair", () -> queuePair));
        looks.set(0);
    }

    @AfterEach
    void close() {
        SpinLoop.configure(SettingsReader.defaults());
        finding = 0;
        reader.close(Close.ABORT);
        writer.close(Close.ABORT);
        threads.shutdownNow();
    }

    private static void spin(String microseconds) {
        SpinLoop.configure(SettingsReader.read(Map.of("spin", microseconds), new Properties(), Map.of()));
    }

    private void write() throws Exception {
        sent++;
        assertEquals(64, writer.write(ByteBuffer.allocate(64), Wait.NONE));
    }

    @Test
    void whatIsThereIsFoundByOneLook() throws Exception {
        write();
        assertEquals(64, reader.read(target, Wait.INTERRUPTIBLE));
        assertEquals(1, looks.get());
    }

    @Test
    void aReadThatDoesNotWaitLooksOnce() throws Exception {
        assertEquals(Outcome.WOULD_BLOCK, reader.read(target, Wait.NONE));
        assertEquals(1, looks.get());
    }

    @Test
    void aReadThatSpinsDoesNotLookAgainForWhatItHasFound() throws Exception {
        spin("100000");
        finding = 2;
        write();
        assertEquals(64, reader.read(target, Wait.INTERRUPTIBLE));
        assertEquals(2, looks.get(), "one before the spin, and one that finds it");
        assertEquals(0, arms.get());
    }

    @Test
    void aReadThatSleepsLooksOnceBeforeItArmsAndOnceAfterwards() throws Exception {
        spin("0");
        finding = 2;
        write();
        assertEquals(64, reader.read(target, Wait.INTERRUPTIBLE));
        assertEquals(2, looks.get());
    }

    @Test
    void aReadThatIsWokenFindsWhatHasCome() throws Exception {
        spin("0");
        Future<Integer> read = threads.submit(() -> reader.read(target, Wait.INTERRUPTIBLE));
        while (reader.progress.waiters.sleeps() == 0) {
            Thread.onSpinWait();
        }
        write();
        assertEquals(64, read.get());
    }

    @Test
    void nothingThatHasComeBeforeACallIsLeftForTheNext() throws Exception {
        write();
        assertTrue(reader.progress.hasCompletions());
        write();
        assertEquals(128, reader.read(target, Wait.INTERRUPTIBLE));
    }
}
