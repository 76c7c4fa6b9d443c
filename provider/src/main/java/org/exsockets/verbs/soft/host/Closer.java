package org.exsockets.verbs.soft.host;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import org.exsockets.jdk.Threads;

/**
 * Closes what other processes have passed to this one and it does not want, and sockets in which something is left that
 * nobody has read: descriptors may be among that. Closing somebody else's file can take as long as its owner likes: a
 * TCP socket with SO_LINGER and data that nobody takes, a file whose server does not answer. So it happens in threads
 * that do nothing else and that nobody waits for; they end when there is nothing to do. In the library of
 * {@link org.exsockets.jdk.DescriptorPoll}. Any thread.
 *
 * <p>What lingers does not hold up even these ({@code closer.c}). What a file's server holds up (flush, on FUSE and
 * NFS) does, but only where a peer has passed it; so these files have a thread of their own, and wait for each other
 * only.
 */
final class Closer implements Runnable {
    /** How long a thread waits for more before it ends. */
    private static final long IDLE_MS = 100;

    /** Before it closes some: those who come in a crowd go together. */
    private static final long GATHERING_MS = 4;

    /** Memory of this length is given back at once. */
    private static final long SMALL_BYTES = 16 << 20;

    private static final Closer SOCKETS = new Closer("exs-closer");
    private static final Closer FILES = new Closer("exs-file-closer");

    private final String name;

    @GuardedBy("this")
    private int[] waiting = new int[UnixSockets.MOST_CLOSED];

    @GuardedBy("this")
    private int count;

    /** Taken, and perhaps not closed yet. */
    @GuardedBy("this")
    private int closing;

    @GuardedBy("this")
    private boolean running;

    private Closer(String name) {
        this.name = name;
    }

    /** For a socket of the Unix domain from which not everything has been read. */
    static void closeSocket(int descriptor) {
        SOCKETS.add(descriptor);
    }

    /** {@return how many sockets have been given here and are not closed yet} */
    static int sockets() {
        synchronized (SOCKETS) {
            return SOCKETS.count + SOCKETS.closing;
        }
    }

    /** For what a peer has passed. Memory as peers share it is closed here and now. */
    static void closePassed(int descriptor) {
        long sealed = NativeMemory.sealedBytes(descriptor);
        if (sealed >= 0 && sealed <= SMALL_BYTES) {
            NativeMemory.close(descriptor);
        } else {
            FILES.add(descriptor);
        }
    }

    private void add(int descriptor) {
        synchronized (this) {
            if (count == waiting.length) {
                waiting = Arrays.copyOf(waiting, 2 * count);
            }
            waiting[count++] = descriptor;
            if (running) {
                if (count == 1) {
                    notifyAll();
                }
                return;
            }
            if ((count & count - 1) != 0) {
                return; // There was no thread to be had for those before.
            }
            running = true;
        }
        try {
            Threads.daemon(name, this).start();
        } catch (OutOfMemoryError none) { // They wait for as many more.
            synchronized (this) {
                running = false;
            }
        }
    }

    /** Closes until there is nothing to do. */
    @Override
    public void run() {
        int[] some = new int[UnixSockets.MOST_CLOSED];
        while (await()) {
            for (int taken; (taken = take(some)) > 0; ) {
                UnixSockets.closeAll(some, taken);
            }
        }
    }

    /** {@return whether there are some; if not, the thread ends} */
    private synchronized boolean await() {
        try {
            if (count == 0) {
                wait(IDLE_MS);
            }
            if (count > 0) {
                wait(GATHERING_MS);
            }
        } catch (InterruptedException e) {
            // Nobody interrupts it; it would only be earlier.
        }
        running = count > 0;
        return running;
    }

    private synchronized int take(int[] into) {
        int taken = Math.min(count, into.length);
        count -= taken;
        closing = taken;
        System.arraycopy(waiting, count, into, 0, taken);
        return taken;
    }
}
