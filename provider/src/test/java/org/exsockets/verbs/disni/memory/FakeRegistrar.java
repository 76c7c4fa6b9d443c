package org.exsockets.verbs.disni.memory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.verbs.disni.VerbsException;

/** Counts what an adapter would have registered, and refuses on demand. Thread-safe. */
final class FakeRegistrar implements RegionRegistrar {
    /** What is thrown in place of the next regions, one each. */
    final ConcurrentLinkedQueue<IOException> refusals = new ConcurrentLinkedQueue<>();

    /** Happens once, while the next region is being registered: it has its pages, and nobody knows it. */
    Runnable meanwhile = () -> {};

    private final AtomicInteger keys = new AtomicInteger();
    private final List<FakeRegion> live = new ArrayList<>();
    private int made;

    final class FakeRegion implements Region {
        final long address;
        final int length;
        private final int key = keys.incrementAndGet();
        private boolean gone;

        private FakeRegion(long address, int length) {
            this.address = address;
            this.length = length;
        }

        @Override
        public int localKey() {
            return key;
        }

        @Override
        public int remoteKey() {
            return -key;
        }

        boolean isLive() {
            synchronized (FakeRegistrar.this) {
                return !gone;
            }
        }

        @Override
        public void deregister() throws IOException {
            synchronized (FakeRegistrar.this) {
                if (gone) {
                    throw new IOException("deregistered twice: " + address);
                }
                gone = true;
                live.remove(this);
            }
        }
    }

    static VerbsException lockedMemory() {
        return new VerbsException("ibv_reg_mr", VerbsException.ENOMEM, "Cannot allocate memory");
    }

    @Override
    public Region register(long address, int lengthBytes) throws IOException {
        IOException refusal = refusals.poll();
        if (refusal != null) {
            throw refusal;
        }
        FakeRegion region = new FakeRegion(address, lengthBytes);
        synchronized (this) {
            live.add(region);
            made++;
        }
        Runnable happening = meanwhile;
        meanwhile = () -> {};
        happening.run();
        return region;
    }

    /** {@return regions that are registered now} */
    synchronized List<FakeRegion> live() {
        return List.copyOf(live);
    }

    /** {@return how many regions have been registered in all} */
    synchronized int made() {
        return made;
    }
}
