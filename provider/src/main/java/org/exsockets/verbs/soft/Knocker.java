package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.Path;
import org.exsockets.memory.SharedMapping;
import org.exsockets.memory.Words;

/**
 * A page that a listener shares with its clients: a client that has said hello knocks, so that an acceptor that spins
 * sees it without a system call. Who sleeps is woken by the Unix socket. The page also tells clients that have connected
 * before whether the listener still stands behind its name, whether clients may sleep on words of their segments
 * before they have been accepted, and whether there is room for more of them.
 *
 * <pre>
 *   0        8           16       24       32                  4096
 *   +--------+-----------+--------+--------+-------------------+
 *   | knock  | listening | wakes  | full   | reserved          |
 *   +--------+-----------+--------+--------+-------------------+
 * </pre>
 *
 * knock: any client stores a number that differs from those before (release, after its hello); the acceptor compares it
 * with what it saw last (acquire). Clients may overwrite each other's: the acceptor looks for all of them when the
 * number has changed. Nothing is lost but time if a knock goes unseen.
 *
 * <p>listening: 1 from before the listener's names exist until before they are removed (release by the listener, acquire
 * by clients), then 0 for ever. A listener that was killed leaves 1 behind; its socket then refuses.
 *
 * <p>wakes: 1 if the listener's process wakes who sleeps on <em>asleep</em> ({@link SegmentDescriptor}), whoever of its
 * threads accepts. Written before listening, never changed.
 *
 * <p>full: 1 while clients wait whose segments the listener's process could not map (release by the listener, acquire by clients, before
 * they connect). Who comes later goes over TCP.
 */
final class Knocker {
    private static final int LENGTH = 4096;
    private static final int KNOCK_OFFSET = 0;
    private static final int LISTENING_OFFSET = 8;
    private static final int WAKES_OFFSET = 16;
    private static final int FULL_OFFSET = 24;

    private final SharedMapping mapping;

    /** Guarded by the monitor: nobody may touch memory that was unmapped. */
    private boolean closed;

    /** As {@link #closed}. */
    private boolean broken;

    private Knocker(SharedMapping mapping) {
        this.mapping = mapping;
    }

    static Knocker create(Path file) throws IOException {
        Knocker created = new Knocker(SharedMapping.create(file, LENGTH));
        Words.longPlain(created.mapping.memory(), WAKES_OFFSET, SleepWords.supported() ? 1 : 0);
        created.setListening(true);
        return created;
    }

    static Knocker open(Path file) throws IOException {
        return new Knocker(SharedMapping.open(file, LENGTH));
    }

    /** {@return the number knocked last; always 0 once somebody has truncated the file} */
    synchronized long last() {
        try {
            return closed || broken ? 0 : Words.longAcquire(mapping.memory(), KNOCK_OFFSET);
        } catch (InternalError truncated) {
            broken = true;
            return 0;
        }
    }

    synchronized void knock(long number) {
        try {
            if (!closed && !broken) {
                Words.longRelease(mapping.memory(), KNOCK_OFFSET, number);
            }
        } catch (InternalError truncated) {
            broken = true;
        }
    }

    /** {@return whether the listener is there, unless its process was killed} */
    boolean isListening() {
        return isSet(LISTENING_OFFSET);
    }

    /** {@return whether the listener's process cannot map another segment now} */
    boolean isFull() {
        return isSet(FULL_OFFSET);
    }

    /** {@return whether the listener's process wakes who sleeps on a word of a segment} */
    boolean wakes() {
        return isSet(WAKES_OFFSET);
    }

    private synchronized boolean isSet(int offset) {
        try {
            return !closed && !broken && Words.longAcquire(mapping.memory(), offset) != 0;
        } catch (InternalError truncated) {
            broken = true;
            return false;
        }
    }

    /** The listener's: its names are about to go. */
    void stopListening() {
        setListening(false);
    }

    /** The listener's: whether its process can map no further segment now. */
    void setFull(boolean full) {
        set(FULL_OFFSET, full);
    }

    private void setListening(boolean listening) {
        set(LISTENING_OFFSET, listening);
    }

    private synchronized void set(int offset, boolean value) {
        try {
            if (!closed && !broken) {
                Words.longRelease(mapping.memory(), offset, value ? 1 : 0);
            }
        } catch (InternalError truncated) {
            broken = true;
        }
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            mapping.unmap();
        }
    }
}
