package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.jspecify.annotations.Nullable;

/** The processes of peers that this one has mapped, each once, as long as they have users. Thread-safe. */
public final class PeerProcesses {
    @GuardedBy("this")
    private final Map<Long, PeerProcess> mapped = new HashMap<>();

    /**
     * {@return the process that a peer has passed, with one more user, which must {@link #release} it} The descriptor
     * stays the caller's.
     *
     * @throws SystemFailure with {@link SystemFailure#isWantOfResources} if it cannot be mapped now
     * @throws IOException if it is not the memory of a process
     */
    public PeerProcess open(int descriptor) throws IOException {
        SharedMemory memory = SharedMemory.map(descriptor, ProcessDescriptor.LENGTH, "process of the peer");
        if (!ProcessDescriptor.isProcess(memory.words())) {
            memory.unmap();
            throw new IOException("process of the peer: not of this layout");
        }
        PeerProcess opened = new PeerProcess(memory);
        PeerProcess known;
        synchronized (this) {
            known = mapped.putIfAbsent(opened.token(), opened);
            if (known == null) {
                known = opened;
            }
            known.addUsers(1);
        }
        if (known != opened) {
            memory.unmap();
        }
        return known;
    }

    /** {@return the process with this token, with one more user; null if it is not mapped} */
    synchronized @Nullable PeerProcess find(long token) {
        PeerProcess known = mapped.get(token);
        if (known != null) {
            known.addUsers(1);
        }
        return known;
    }

    public synchronized void retain(PeerProcess process) {
        process.addUsers(1);
    }

    /** @param process null: none */
    public void release(@Nullable PeerProcess process) {
        if (process == null) {
            return;
        }
        synchronized (this) {
            if (process.addUsers(-1) > 0) {
                return;
            }
            mapped.remove(process.token());
        }
        process.unmap();
    }

    public synchronized int size() {
        return mapped.size();
    }
}
