package org.exsockets.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CleanersTest {
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger cleaned = new AtomicInteger();
    private boolean noThread = true;

    private final Cleaners cleaners = new Cleaners() {
        @Override
        Cleaner make() {
            if (noThread) {
                throw new OutOfMemoryError("unable to create native thread, says a test");
            }
            made.incrementAndGet();
            return Cleaner.create();
        }
    };

    @Test
    void withoutAThreadTheActionRunsWhenItIsCalledAndOnce() {
        Cleaner.Cleanable cleanable = cleaners.watch(this, cleaned::incrementAndGet);
        assertEquals(0, cleaned.get());
        cleanable.clean();
        cleanable.clean();
        assertEquals(1, cleaned.get());
    }

    @Test
    void whenThereAreThreadsAgainOneCleanerIsMade() {
        cleaners.watch(this, cleaned::incrementAndGet);
        noThread = false;
        for (int i = 0; i < 3; i++) {
            Cleaner.Cleanable cleanable = cleaners.watch(this, cleaned::incrementAndGet);
            cleanable.clean();
            cleanable.clean();
        }
        assertEquals(3, cleaned.get());
        assertEquals(1, made.get());
    }
}
