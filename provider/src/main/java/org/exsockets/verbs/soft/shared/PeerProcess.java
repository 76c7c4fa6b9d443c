package org.exsockets.verbs.soft.shared;

import java.io.IOException;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.jspecify.annotations.Nullable;

/** What a peer's process tells of itself, mapped, by its token. Segments and remembered listeners use it. */
public final class PeerProcess extends PeerMappings.Mapping<Long> {
    private final MappedSigns signs;

    private PeerProcess(SharedMemory memory) {
        super(ProcessDescriptor.token(memory.words()), memory);
        this.signs = new MappedSigns(memory.slice(ProcessDescriptor.SIGNS_OFFSET, SleepSignDescriptor.LENGTH));
    }

    /**
     * Maps the process that a peer has passed; the descriptor stays the caller's.
     *
     * @throws SystemFailure with {@link SystemFailure#isWantOfResources} if it cannot be mapped now
     * @throws IOException if it is not the memory of a process
     */
    public static PeerProcess open(int descriptor) throws IOException {
        SharedMemory memory = SharedMemory.map(descriptor, ProcessDescriptor.LENGTH, "process of the peer");
        if (!ProcessDescriptor.isProcess(memory.words())) {
            memory.unmap();
            throw new IOException("process of the peer: not of this layout");
        }
        return new PeerProcess(memory);
    }

    public long token() {
        return name;
    }

    public MappedSigns signs() {
        return signs;
    }

    /** @param number as the peer says: any value */
    public @Nullable ListenerPage page(int number) {
        return number < 0 || number >= ProcessDescriptor.PAGES ? null : new ListenerPage(memory.words(), number);
    }
}
