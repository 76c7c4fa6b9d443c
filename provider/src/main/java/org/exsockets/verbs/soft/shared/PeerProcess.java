package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * What a peer's process tells of itself, mapped. Segments and remembered listeners use it.
 *
 * <p>A process is who the kernel says it is, and what it says itself ({@link Name}): it may show the token, and the
 * memory, of another one that it knows. Nothing that is kept for one process is found by another.
 */
public final class PeerProcess extends PeerMappings.Mapping<PeerProcess.Name> {
    /** The process id of a process that this one does not see: it is in another pid namespace. */
    public static final int UNSEEN = 0;

    private static final int NONE = -1;

    /** Between two looks whether it has ended: the numbers of processes do not come round in this time. */
    private static final long LOOK_NS = 5_000_000;

    private static final AtomicInteger UNSEEN_SO_FAR = new AtomicInteger();

    /**
     * @param processId of the process at the other end of the socket by which its memory has come (SO_PEERCRED); of one
     *     that is not seen a negative number, which only one connection has
     * @param token as its memory says
     */
    public record Name(int processId, long token) {
        /** As that of every record: the JVM's would make some forty classes in a program's first connection. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Name name && name.processId == processId && name.token == token;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(token) + processId;
        }
    }

    private final MappedSigns signs;

    /** pidfd_open(2), of the process of this id; {@link #NONE}: not watched, or not any more. */
    @GuardedBy("this")
    private int watched = NONE;

    @GuardedBy("this")
    private long lookedNs = System.nanoTime();

    @GuardedBy("this")
    private boolean ended;

    private PeerProcess(Name name, SharedMemory memory) {
        super(name, memory);
        this.signs = new MappedSigns(memory.slice(ProcessDescriptor.SIGNS_OFFSET, SleepSignDescriptor.LENGTH));
    }

    /**
     * Maps the process that a peer has passed; the descriptor stays the caller's.
     *
     * @param processId as the kernel says; {@link #UNSEEN}: then it is another one than any before and after
     * @throws SystemFailure with {@link SystemFailure#isWantOfResources} if it cannot be mapped now
     * @throws IOException if it is not the memory of a process
     */
    public static PeerProcess open(int processId, int descriptor) throws IOException {
        SharedMemory memory = SharedMemory.map(descriptor, ProcessDescriptor.LENGTH, "process of the peer");
        if (!ProcessDescriptor.isProcess(memory.words())) {
            memory.unmap();
            throw new IOException("process of the peer: not of this layout");
        }
        int id = processId != UNSEEN ? processId : UNSEEN_SO_FAR.decrementAndGet();
        return new PeerProcess(new Name(id, ProcessDescriptor.token(memory.words())), memory);
    }

    public Name name() {
        return name;
    }

    /** {@return whether the kernel tells it from others: then something may be kept for it} */
    public boolean isSeen() {
        return name.processId > 0;
    }

    /** {@return whether it is the process of this id, as far as the kernel says} */
    public boolean is(int processId) {
        return isSeen() && name.processId == processId;
    }

    /** Watches for its end: its id may then be another process's. @param pidfd is its own from now on; negative: none */
    public void watch(int pidfd) {
        if (pidfd < 0) {
            return;
        }
        synchronized (this) {
            if (watched == NONE) {
                watched = pidfd;
                return;
            }
        }
        NativeMemory.close(pidfd);
    }

    /** {@return whether it has ended; false if it is not watched} The caller is one of its users. */
    public synchronized boolean hasEnded() {
        long nowNs = System.nanoTime();
        if (!ended && watched != NONE && nowNs - lookedNs > LOOK_NS) {
            lookedNs = nowNs;
            ended = DescriptorPoll.poll(watched, 0) > 0;
        }
        return ended;
    }

    @Override
    synchronized void unmap() {
        super.unmap();
        if (watched != NONE) {
            NativeMemory.close(watched);
            watched = NONE;
        }
    }

    public MappedSigns signs() {
        return signs;
    }

    /** @param number as the peer says: any value */
    public @Nullable ListenerPage page(int number) {
        return number < 0 || number >= ProcessDescriptor.PAGES ? null : new ListenerPage(memory.words(), number);
    }
}
