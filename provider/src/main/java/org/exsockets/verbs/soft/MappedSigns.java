package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLongArray;
import org.exsockets.memory.SharedMapping;
import org.exsockets.memory.Words;

/**
 * The signs of a peer's process, and which of its sleeps this process has ended. Any thread.
 *
 * <p>A thread writes down an event when it has been given, not before: otherwise one that is held up in between would keep the
 * others from giving theirs. Nor do processes tell each other: one of them may have been stopped.
 */
final class MappedSigns extends PeerMapping {
    private final SharedMapping mapping;
    private final ByteBuffer memory;

    /** By sign, the turns at the last event. */
    private final AtomicLongArray ended = new AtomicLongArray(SleepSignDescriptor.SIGNS);

    private MappedSigns(Path file, SharedMapping mapping) {
        super(file);
        this.mapping = mapping;
        this.memory = mapping.memory();
    }

    /** For tests: signs in memory of this process, which nobody unmaps. */
    MappedSigns(ByteBuffer memory) {
        super(null);
        this.mapping = null;
        this.memory = memory;
    }

    /** @throws IOException if they cannot be mapped or are none */
    static MappedSigns open(Path file) throws IOException {
        return new MappedSigns(file, SharedMapping.open(file, SleepSignDescriptor.LENGTH));
    }

    /**
     * {@return the turns of a sign that says asleep and whose sleep this process has not ended yet; 0: there is nobody to wake}
     * What the sleeper is to see has been published, and a fence is behind it.
     *
     * @param number 0 to {@link SleepSignDescriptor#SIGNS} − 1
     */
    long sleep(int number) {
        long turns = Words.longVolatile(memory, SleepSignDescriptor.turnsOffset(number));
        return SleepSignDescriptor.isAsleep(turns) && ended.getAcquire(number) != turns ? turns : 0;
    }

    /** This process has given an event. */
    void end(int number, long turns) {
        ended.setRelease(number, turns);
    }

    @Override
    boolean isFreed() {
        return false; // As long as the owner lives.
    }

    @Override
    void unmap() {
        mapping.unmap();
    }
}
