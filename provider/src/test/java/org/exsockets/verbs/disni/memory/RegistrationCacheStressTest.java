package org.exsockets.verbs.disni.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsHandles;
import org.exsockets.verbs.disni.memory.FakeRegistrar.FakeRegion;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many threads use, free and outgrow the same memory, as far as programs do: nobody frees what a call uses. */
class RegistrationCacheStressTest {
    private static final int BUFFERS = 12;
    private static final int BUFFER_BYTES = 8 * RegistrationBudget.PAGE_BYTES;
    private static final int USERS = 4;
    private static final int USES = 40_000;
    private static final int FREES = 4_000;

    private final FakeRegistrar adapter = new FakeRegistrar();

    /** Room for half of the buffers. */
    private final RegistrationBudget budget = new RegistrationBudget(
            (long) BUFFERS / 2 * (BUFFER_BYTES + RegistrationBudget.PAGE_BYTES), System::nanoTime);

    private final RegistrationCache cache = new RegistrationCache(adapter, budget, memory -> true, System::nanoTime);

    private final ByteBuffer[] buffers = new ByteBuffer[BUFFERS];

    /** Who uses a buffer reads, who frees it writes. */
    private final ReentrantReadWriteLock[] holding = new ReentrantReadWriteLock[BUFFERS];

    private final AtomicLong taken = new AtomicLong();

    @BeforeAll
    static void load() throws IOException {
        VerbsHandles.assumeUsable();
    }

    @Test
    void whatIsUsedIsRegisteredAndWhatIsFreedIsNot() throws Exception {
        for (int i = 0; i < BUFFERS; i++) {
            buffers[i] = ByteBuffer.allocateDirect(BUFFER_BYTES);
            holding[i] = new ReentrantReadWriteLock();
        }
        long seed = Long.getLong("exs.test.seed", 1);
        System.out.println("seed " + seed);
        ExecutorService threads = Executors.newFixedThreadPool(USERS + 1);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < USERS; i++) {
                Random random = new Random(seed + i);
                all.add(threads.submit((Callable<Void>) () -> {
                    for (int n = 0; n < USES; n++) {
                        use(random);
                    }
                    return null;
                }));
            }
            Random random = new Random(seed - 1);
            all.add(threads.submit(() -> {
                for (int n = 0; n < FREES; n++) {
                    free(random.nextInt(BUFFERS));
                }
            }));
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertTrue(taken.get() > USES / 10, "taken only " + taken);
        assertTrue(adapter.made() > BUFFERS, "made only " + adapter.made());
        assertEquals(adapter.live().size(), cache.swept().size());
        cache.dropUnused();
        assertEquals(0, cache.swept().size());
        assertEquals(List.of(), adapter.live());
        assertEquals(0, budget.registeredBytes());
    }

    private void use(Random random) throws IOException {
        int index = random.nextInt(BUFFERS);
        int offset = random.nextInt(BUFFER_BYTES);
        InetAddress host = random.nextInt(4) == 0
                ? null
                : InetAddress.getByAddress(new byte[] {10, 9, 0, (byte) (random.nextInt(20) == 0 ? 2 : 1)});
        holding[index].readLock().lock();
        try {
            ByteBuffer memory = buffers[index].slice(0, BUFFER_BYTES);
            Registration registration = cache.take(memory, offset, BUFFER_BYTES - offset, host);
            if (registration == null) {
                return;
            }
            taken.incrementAndGet();
            FakeRegion region = (FakeRegion) registration.region;
            assertTrue(region.isLive(), "given without being registered");
            assertEquals(BUFFER_BYTES - offset, registration.advertisable(memory, offset, BUFFER_BYTES - offset));
            assertTrue(host == null || host.equals(registration.host()));
            if (random.nextInt(50) == 0) {
                Thread.yield();
            }
            assertTrue(region.isLive(), "dropped while in use");
            assertTrue(budget.registeredBytes() <= budget.maxBytes());
            registration.release();
        } finally {
            holding[index].readLock().unlock();
        }
    }

    private void free(int index) {
        holding[index].writeLock().lock();
        try {
            long address = Verbs.address(buffers[index]);
            cache.onFree(address, BUFFER_BYTES);
            assertFalse(cache.swept().touches(address, address + BUFFER_BYTES), "found after it was freed");
        } finally {
            holding[index].writeLock().unlock();
        }
    }
}
