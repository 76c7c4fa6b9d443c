package org.exsockets.verbs.soft.shared;

import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.jspecify.annotations.Nullable;

/** What a peer's process tells of itself, mapped. Belongs to {@link PeerProcesses}. */
public final class PeerProcess {
    private final SharedMemory memory;
    private final long token;
    private final MappedSigns signs;

    /** Segments and remembered listeners that refer to it; guarded by {@link PeerProcesses}. */
    private int users;

    PeerProcess(SharedMemory memory) {
        this.memory = memory;
        this.token = ProcessDescriptor.token(memory.words());
        this.signs = new MappedSigns(memory.slice(ProcessDescriptor.SIGNS_OFFSET, SleepSignDescriptor.LENGTH));
    }

    public long token() {
        return token;
    }

    public MappedSigns signs() {
        return signs;
    }

    /** @param number as the peer says: any value */
    public @Nullable ListenerPage page(int number) {
        return number < 0 || number >= ProcessDescriptor.PAGES ? null : new ListenerPage(memory.words(), number);
    }

    /** Guarded by {@link PeerProcesses}. {@return the users left} */
    int addUsers(int more) {
        users += more;
        return users;
    }

    void unmap() {
        memory.unmap();
    }
}
