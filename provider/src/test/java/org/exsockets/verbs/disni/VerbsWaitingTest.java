package org.exsockets.verbs.disni;

import static org.exsockets.verbs.disni.VerbsHandles.errno;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VerbsWaitingTest {
    private static final int FOREVER = -1;
    private static final int LONG_MS = 60_000;

    private int one;
    private int other;

    @BeforeAll
    static void load() throws IOException {
        VerbsHandles.assumeUsable();
    }

    @BeforeEach
    void open() throws VerbsException {
        one = Verbs.createEvent();
        other = Verbs.createEvent();
    }

    @AfterEach
    void close() throws VerbsException {
        Verbs.closeEvent(one);
        Verbs.closeEvent(other);
    }

    @Test
    void nothingIsReadyBeforeASignal() throws VerbsException {
        boolean[] ready = {true, true};
        assertEquals(0, Verbs.waitFor(new int[] {one, other}, ready, 0));
        assertArrayEquals(new boolean[2], ready);
        assertEquals(0, Verbs.waitFor(new int[] {one, other}, ready, 10));
    }

    @Test
    void theSignalledOneIsReadyUntilCleared() throws VerbsException {
        boolean[] ready = new boolean[2];
        Verbs.signalEvent(other);
        Verbs.signalEvent(other);
        assertEquals(1, Verbs.waitFor(new int[] {one, other}, ready, FOREVER));
        assertArrayEquals(new boolean[] {false, true}, ready);
        assertEquals(1, Verbs.waitFor(new int[] {one, other}, ready, FOREVER));
        Verbs.clearEvent(other);
        assertEquals(0, Verbs.waitFor(new int[] {one, other}, ready, 0));
        Verbs.clearEvent(other);
    }

    @Test
    void negativeDescriptorsAreSkipped() throws VerbsException {
        boolean[] ready = new boolean[2];
        Verbs.signalEvent(other);
        assertEquals(1, Verbs.waitFor(new int[] {-1, other}, ready, LONG_MS));
        assertArrayEquals(new boolean[] {false, true}, ready);
        assertEquals(0, Verbs.waitFor(new int[0], ready, 0));
    }

    @Test
    void manyDescriptorsCanBeWaitedFor() throws VerbsException {
        int[] descriptors = new int[500];
        boolean[] ready = new boolean[descriptors.length + 1];
        for (int i = 0; i < descriptors.length; i++) {
            descriptors[i] = i % 2 == 0 ? one : other;
        }
        Verbs.signalEvent(one);
        assertEquals(descriptors.length / 2, Verbs.waitFor(descriptors, ready, LONG_MS));
        for (int i = 0; i < descriptors.length; i++) {
            assertEquals(i % 2 == 0, ready[i]);
        }
    }

    @Test
    void aSignalWakesTheWaiter() throws Exception {
        boolean[] ready = new boolean[1];
        int[] count = new int[1];
        Thread waiter = new Thread(() -> {
            try {
                count[0] = Verbs.waitFor(new int[] {one}, ready, LONG_MS);
            } catch (VerbsException e) {
                count[0] = -e.errno();
            }
        });
        waiter.start();
        while (!inWaitFor(waiter)) {
            Thread.onSpinWait();
        }
        Verbs.signalEvent(one);
        waiter.join();
        assertEquals(1, count[0]);
        assertTrue(ready[0]);
    }

    private static boolean inWaitFor(Thread thread) {
        StackTraceElement[] trace = thread.getStackTrace();
        return trace.length > 0 && trace[0].getMethodName().equals("waitFor");
    }

    @Test
    void onlyOurOwnDescriptorsAreTouched() throws VerbsException {
        int closed = Verbs.createEvent();
        Verbs.closeEvent(closed);
        int standardError = 2;
        for (int each : new int[] {standardError, closed, -1, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertEquals(VerbsException.EBADF, errno(() -> Verbs.signalEvent(each)));
            assertEquals(VerbsException.EBADF, errno(() -> Verbs.clearEvent(each)));
            assertEquals(VerbsException.EBADF, errno(() -> Verbs.closeEvent(each)));
        }
    }

    @Test
    void wrongArgumentsAreRefused() {
        int[] descriptors = {one};
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.waitFor(null, new boolean[1], 0)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.waitFor(descriptors, null, 0)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.waitFor(descriptors, new boolean[0], 0)));
        assertEquals(VerbsException.EINVAL, errno(() -> Verbs.waitFor(descriptors, new boolean[1], -2)));
        int neverOpen = 1 << 19;
        assertEquals(VerbsException.EBADF, errno(() -> Verbs.waitFor(new int[] {neverOpen}, new boolean[1], LONG_MS)));
    }
}
