package org.exsockets.verbs.soft.shared;

import org.exsockets.memory.Words;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;

/**
 * What a listener and its clients tell each other without system calls ({@link ProcessDescriptor}). Any thread, as long
 * as the memory is mapped.
 */
public record ListenerPage(Words words, int number) {
    private int at(int field) {
        return ProcessDescriptor.pageOffset(number) + field;
    }

    /** {@return the latest knock} */
    public long last() {
        return words.longAcquire(at(ProcessDescriptor.KNOCK_OFFSET));
    }

    /** For the client, after its hello. */
    public void knock(long proof) {
        words.longRelease(at(ProcessDescriptor.KNOCK_OFFSET), proof);
    }

    /**
     * {@return whether the listener is there; wrong if its process was killed, or another listener has the page by now}
     */
    public boolean isListening() {
        return words.longAcquire(at(ProcessDescriptor.LISTENING_OFFSET)) != 0;
    }

    /** {@return whether the listener's process cannot map another segment now} */
    public boolean isFull() {
        return words.longAcquire(at(ProcessDescriptor.FULL_OFFSET)) != 0;
    }

    /** For the listener. */
    public void setListening(boolean listening) {
        words.longRelease(at(ProcessDescriptor.LISTENING_OFFSET), listening ? 1 : 0);
    }

    /** For the listener: whether its process can map no further segment now. */
    public void setFull(boolean full) {
        words.longRelease(at(ProcessDescriptor.FULL_OFFSET), full ? 1 : 0);
    }
}
