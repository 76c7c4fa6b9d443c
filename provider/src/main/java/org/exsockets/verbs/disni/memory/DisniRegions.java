package org.exsockets.verbs.disni.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.exsockets.observe.Log;
import org.exsockets.verbs.MoreRoom.ExposedRegion;
import org.jspecify.annotations.Nullable;

/**
 * What one end of a connection exposes beyond its {@link ConnectionMemory}. A region that the peer has left is freed
 * at once: a message of the peer behind its last write tells so, and a reliable connection delivers in order. The others
 * are freed when the queue pair has been destroyed. Thread-safe.
 */
public final class DisniRegions {
    private final MemorySource source;
    private final GrowthBudget budget;
    private final InetAddress host;

    @GuardedBy("this")
    private final Set<Exposed> exposed = new HashSet<>(0);

    @GuardedBy("this")
    private boolean over;

    /** @param host the one at the other end, for the log */
    public DisniRegions(MemorySource source, GrowthBudget budget, InetAddress host) {
        this.source = source;
        this.budget = budget;
        this.host = host;
    }

    private final class Exposed implements ExposedRegion {
        private final RegionMemory region;

        private Exposed(RegionMemory region) {
            this.region = region;
        }

        @Override
        public ByteBuffer memory() {
            return region.memory;
        }

        @Override
        public long address() {
            return region.address;
        }

        @Override
        public int key() {
            return region.key();
        }

        @Override
        public void release() {
            synchronized (DisniRegions.this) {
                if (!exposed.remove(this)) {
                    return;
                }
            }
            giveBack(region);
        }
    }

    /** {@return a registered region; null if none is available} As {@link org.exsockets.verbs.MoreRoom.Exposing#expose}. */
    public @Nullable ExposedRegion expose(int fewestBytes, int mostBytes) {
        int lengthBytes = budget.take(fewestBytes, mostBytes);
        RegionMemory region;
        try {
            if (lengthBytes == 0) {
                throw new IOException("the budget of hidden buffers that have grown is used up");
            }
            region = source.region(lengthBytes);
        } catch (IOException e) {
            budget.giveBack(lengthBytes);
            Log.debug("no further region: length=" + fewestBytes + ", host=" + host + ", " + e.getMessage());
            return null;
        }
        Exposed made = new Exposed(region);
        synchronized (this) {
            if (!over) {
                exposed.add(made);
                return made;
            }
        }
        giveBack(region);
        return null;
    }

    private void giveBack(RegionMemory region) {
        region.free();
        budget.giveBack(region.length());
    }

    /** The queue pair has been destroyed: nothing can be written any more. */
    public void releaseAll() {
        Set<Exposed> left;
        synchronized (this) {
            over = true;
            left = Set.copyOf(exposed);
            exposed.clear();
        }
        for (Exposed region : left) {
            giveBack(region.region);
        }
    }
}
