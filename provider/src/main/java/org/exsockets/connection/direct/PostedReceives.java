package org.exsockets.connection.direct;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.connection.life.Life;
import org.exsockets.jdk.NanoClock;
import org.exsockets.jdk.ShortSleeps;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.stream.StreamEngine;
import org.exsockets.stream.direct.Receive;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/**
 * The outstanding receives of a connection: memory for the next bytes of the stream, in the order of the posts. The
 * peer may write straight into memory that the device reaches. The thread that calls {@link #advance} copies all other
 * bytes out of the hidden buffer.
 *
 * <p>All methods but those marked otherwise take the connection's read lock, which makes the caller the reader. While
 * anything is outstanding nothing else is read. A receive ends in the poller's role, which any thread may have. Its
 * owner finds it by {@link #haveEnded} and {@link PostedReceive#isDone}, and then calls {@link #take}. Until it has
 * ended its memory is the stream's.
 *
 * <p>A cancelled receive to which the peer may be writing ends when the peer has answered: at once if the peer's
 * program is in a call on the connection, otherwise at any time. Without an answer the memory is detached after a
 * while.
 */
public final class PostedReceives {
    /** So long a CANCEL may stay without an answer before the memory is detached, in nanoseconds. */
    public static final long ANSWER_LIMIT_NS = 5_000_000;

    /** If the memory cannot be detached, the connection is reset after so long without an answer. */
    private static final long LAST_ANSWER_LIMIT_NS = 5_000_000_000L;

    private static final long SPIN_FOR_ANSWER_NS = 20_000;
    private static final long PARK_FOR_ANSWER_NS = 50_000;

    /** The turns of a connection's readers. */
    public interface Readers {
        /** Waits for the reader's turn, and takes it; reentrant. */
        void lockReader();

        /** Ends the turn, and does what could not be done while it was taken. */
        void unlockReader();
    }

    /** A receive to be posted here, again and again. The fields belong to the reader. */
    public final class PostedReceive extends Receive {
        /** The registration, released when the receive is taken; null: its memory is not registered. */
        private @Nullable ProgramMemory held;

        /** When its CANCEL was asked for, by {@link System#nanoTime}; 0: it was not. */
        private long cancelledAtNs;

        /** Set before the reader ends the receive; null: the memory has not failed. */
        private @Nullable IOException failure;

        private PostedReceive() {}

        /** {@return whether it has ended because the connection is lost; valid once it is done, as the next ones} */
        public boolean isReset() {
            return ending() == Ending.RESET;
        }

        /** {@return whether it was cancelled; it may hold bytes} */
        public boolean isCancelled() {
            return ending() == Ending.CANCELLED;
        }

        /** {@return whether the peer has finished; there may be bytes before that} */
        public boolean isEndOfStream() {
            return ending() == Ending.END_OF_STREAM;
        }

        /**
         * {@return why bytes could not be stored in its memory, which has ended it; null otherwise} The bytes stay for
         * what comes behind it.
         */
        public @Nullable IOException failure() {
            return failure;
        }

        @Override
        protected void onDone() {
            ended = ended + 1;
        }
    }

    private final Readers readers;
    private final ConnectionProgress progress;
    private final Life life;
    private final StreamEngine engine;

    /** Null: the peer is offered nothing. */
    private final @Nullable DirectAccess direct;

    private final boolean detaches;

    /** Those not taken, in order. The reader's. */
    private final ArrayDeque<PostedReceive> posted = new ArrayDeque<>(1);

    /**
     * Whether there are any. The reader sets it before it checks whether the program has closed; a thread that closes
     * reads it after it has set the closed state. So either the reader does not post, or the reader completes the
     * close. Only the reader changes it: a thread that holds the read lock and finds nothing outstanding may release
     * the connection's memory.
     */
    private volatile boolean active;

    /**
     * Receives that have ended so far. Counted by the poller when it has stored that they are done; read by any thread.
     */
    private volatile int ended;

    /** Receives that were taken so far. Counted by the reader; any thread reads it, and an old value costs a look. */
    private volatile int taken;

    /** Receives whose CANCEL is under way. The reader's. */
    private int cancelling;

    /** Whether {@link #lookAgain} is under way. Set by the reader, cleared before the owner is made to look. */
    private volatile boolean lookingAgain;

    /** How fast the peer fills what is outstanding. Its counters are the reader's. */
    private final DirectRate rate = new DirectRate(NanoClock.SYSTEM);

    /** Makes the owner look: nothing may come from the peer that would wake it. */
    private final Runnable lookAgain = new Runnable() {
        @Override
        public void run() {
            lookingAgain = false;
            progress.owner.signalSelectors();
        }
    };

    public PostedReceives(Readers readers, ConnectionProgress progress) {
        this.readers = readers;
        this.progress = progress;
        this.life = progress.life;
        this.direct = progress.endpoint.direct();
        this.detaches = direct != null && direct.windows() != null;
        this.engine = progress.engine;
    }

    public PostedReceive newReceive() {
        return new PostedReceive();
    }

    /** {@return whether anything is outstanding; any thread, exact for the reader} */
    public boolean isActive() {
        return active;
    }

    /** {@return whether there is something to take; any thread, without a lock} */
    public boolean haveEnded() {
        return ended != taken;
    }

    /**
     * {@return for how long the peer has receives to fill, at its present rate, in nanoseconds; 0 if that is not known;
     * any thread, without a lock}
     */
    public long quietNs() {
        return haveEnded() ? 0 : rate.quietNs();
    }

    // Posting.

    /**
     * Adds a receive behind those outstanding. It may have ended when this returns.
     *
     * @param memory position and limit are ignored and stay; the owner keeps it reachable
     * @param length ≥ 1
     * @param waitsForAll whether it ends only when it is full, see {@link Receive#into}
     */
    public void post(PostedReceive receive, ByteBuffer memory, int offset, int length, boolean waitsForAll) {
        readers.lockReader();
        try {
            DirectAccess to = life.isPeerOver() ? null : direct;
            ProgramMemory held = DirectReadPolicy.leasePosted(to, memory, offset, length, posted.isEmpty());
            add(receive, memory, offset, length, waitsForAll, held);
            active = true;
            postToEngine(receive);
            progress.settleLater();
        } finally {
            readers.unlockReader();
        }
    }

    /**
     * Reader: as {@link #post(PostedReceive, ByteBuffer, int, int, boolean)}, for bytes that are registered.
     *
     * @param registration is given back when the receive is taken
     * @return false if the connection has ended; then the caller keeps the registration
     */
    boolean post(PostedReceive receive, ByteBuffer memory, int offset, int length, ProgramMemory registration) {
        active = true;
        if (life.isClosedOrPeerOver()) {
            active = !posted.isEmpty();
            return false;
        }
        add(receive, memory, offset, length, false, registration);
        postToEngine(receive);
        return true;
    }

    private void add(
            PostedReceive receive,
            ByteBuffer memory,
            int offset,
            int length,
            boolean waitsForAll,
            @Nullable ProgramMemory registration) {
        receive.into(memory, offset, length, waitsForAll, registration);
        receive.held = registration;
        if (registration != null) {
            rate.onPosted(length);
        }
        receive.cancelledAtNs = 0;
        receive.failure = null;
        posted.add(receive);
    }

    private void postToEngine(PostedReceive receive) {
        progress.enterPolling();
        try {
            engine.post(receive);
        } finally {
            progress.leavePolling();
        }
    }

    // Moving on.

    /**
     * Handles what has arrived, and copies what is in the hidden buffer. If the connection is lost, receives are filled
     * as far as possible with what had come before, and then all of them end; that may take some milliseconds, for a
     * writer in the middle of a copy. Otherwise it never waits.
     */
    public void advance() {
        if (!active) {
            return;
        }
        readers.lockReader();
        try {
            do {
                if (engine.incoming.urgent.isMarked()) {
                    progress.progressFully(); // Whether a byte is the urgent one depends on what has come behind it.
                }
                fill();
            } while (ended - taken < posted.size() && progress.progress());
            if (!haveEnded()) {
                progress.lookAtLiveness();
            }
            // If the end of the JVM has ended the connection, threads that wait for bytes go on waiting.
            boolean lost = life.isLost() && (!life.endsWithJvm() || life.isPeerOver());
            if (lost && ended - taken < posted.size()) {
                fill();
                abandonLost();
            }
            if (cancelling > 0) {
                fenceOverdue();
            }
            progress.settleLater();
        } finally {
            readers.unlockReader();
        }
    }

    private void fill() {
        while (engine.incoming.hasUnread() && fillFirst()) {
            // Until there is nothing more, or no receive for it.
        }
    }

    /** {@return whether the oldest receive has got bytes, or has ended because its memory does not take them} */
    private boolean fillFirst() {
        Receive first;
        progress.enterPolling();
        try {
            first = engine.takeWaiting();
        } finally {
            progress.leavePolling();
        }
        if (first == null) {
            return false;
        }
        int bytes = 0;
        IOException failure = null;
        try {
            bytes = engine.incoming.fill(first);
            progress.traffic.bytesReceivedIndirect += bytes;
        } catch (RuntimeException fault) {
            failure = CheckedCopy.told(
                    fault, first.memory(), first.offset() + first.received(), first.length() - first.received());
            if (failure == null) {
                throw fault;
            }
        } finally {
            filled(first, bytes, failure);
        }
        return bytes > 0 || failure != null;
    }

    private void filled(Receive first, int bytes, @Nullable IOException failure) {
        progress.enterPolling();
        try {
            if (failure != null) {
                ((PostedReceive) first).failure = failure;
                engine.cancel(first); // It is being filled, so it is not advertised, and ends with the next line.
            }
            engine.filled(first, bytes);
        } finally {
            progress.leavePolling();
        }
    }

    /** Takes a receive that has ended. Its owner may look at the result until it posts the receive again. */
    public void take(PostedReceive receive) {
        readers.lockReader();
        try {
            posted.remove(receive);
            taken = taken + 1;
            if (receive.cancelledAtNs != 0) {
                cancelling--;
            }
            if (receive.held != null) {
                receive.held.release();
                receive.held = null;
                rate.onTaken(receive.length(), receive.receivedDirect());
            }
            receive.clear();
            progress.traffic.bytesReceivedDirect += receive.receivedDirect();
            active = !posted.isEmpty();
        } finally {
            readers.unlockReader();
        }
    }

    // Ending.

    /** Makes a receive end soon: at once if the peer cannot be writing to it. Never waits. */
    public void cancel(PostedReceive receive) {
        readers.lockReader();
        try {
            if (receive.cancelledAtNs == 0 && !receive.isDone()) {
                cancelInEngine(receive);
                if (!receive.isDone()) {
                    lookAgainLater();
                }
            }
            progress.settleLater();
        } finally {
            readers.unlockReader();
        }
    }

    private void cancelInEngine(PostedReceive receive) {
        progress.enterPolling();
        try {
            engine.cancel(receive);
        } finally {
            progress.leavePolling();
        }
        if (!receive.isDone()) {
            receive.cancelledAtNs = System.nanoTime() | 1; // 0 says that it is not cancelled.
            cancelling++;
        }
    }

    private void lookAgainLater() {
        if (!lookingAgain) {
            lookingAgain = true;
            if (!ProgressThread.trySubmitLater(lookAgain)) {
                lookingAgain = false;
            }
        }
    }

    private void fenceOverdue() {
        boolean waiting = false;
        long nowNs = System.nanoTime();
        for (PostedReceive each : posted) {
            if (each.cancelledAtNs != 0 && !each.isDone() && detaches) {
                waiting |= nowNs - each.cancelledAtNs < ANSWER_LIMIT_NS || !fence(each);
            }
        }
        if (waiting) {
            lookAgainLater();
        }
    }

    private boolean fence(PostedReceive receive) {
        progress.enterPolling();
        try {
            return engine.fence(receive);
        } finally {
            progress.leavePolling();
        }
    }

    /**
     * Ends receives, and returns when the peer cannot write to their memory any more: it has answered, or, without an
     * answer in time, the memory was detached. If the device cannot detach it, the connection is reset. The receives
     * may hold bytes, and are still to be taken.
     *
     * @param some in the order of their posts
     */
    public void takeBack(List<PostedReceive> some) {
        readers.lockReader();
        try {
            for (PostedReceive each : some) {
                if (each.cancelledAtNs == 0 && !each.isDone()) {
                    cancelInEngine(each);
                }
            }
            if (!areDone(some)) {
                awaitAnswers(some);
                if (!areDone(some)) {
                    progress.progressFully(); // Perhaps it was this process that stood still.
                }
                takeAway(some);
            }
        } finally {
            readers.unlockReader();
        }
    }

    private static boolean areDone(List<PostedReceive> some) {
        for (int i = 0; i < some.size(); i++) {
            if (!some.get(i).isDone()) {
                return false;
            }
        }
        return true;
    }

    private void awaitAnswers(List<PostedReceive> some) {
        new ShortSleeps(SPIN_FOR_ANSWER_NS, PARK_FOR_ANSWER_NS) {
            @Override
            protected boolean isOver() {
                progress.progress();
                return areDone(some) || life.isHungUp();
            }
        }.await(detaches ? ANSWER_LIMIT_NS : LAST_ANSWER_LIMIT_NS);
    }

    private void takeAway(List<PostedReceive> some) {
        boolean lost = life.isHungUp();
        // The last first: receives behind a fenced one must not be advertised.
        for (int i = some.size() - 1; i >= 0 && !lost; i--) {
            lost = !some.get(i).isDone() && !fence(some.get(i));
        }
        if (!lost) {
            return;
        }
        abandonLost();
        if (!life.isHungUp()) {
            progress.fail("the peer does not answer, and its device cannot be kept from writing otherwise");
        }
    }

    /**
     * A thread of the peer may be in the middle of a write when its process resets the connection. Memory that must be
     * detached is not advertised again. So this waits for the write, but not longer than {@link #ANSWER_LIMIT_NS}: the
     * peer may have been killed.
     */
    private void abandonLost() {
        new ShortSleeps(PARK_FOR_ANSWER_NS) {
            @Override
            protected boolean isOver() {
                progress.enterPolling();
                try {
                    return !engine.mayBeWrittenTo();
                } finally {
                    progress.leavePolling();
                }
            }
        }.await(ANSWER_LIMIT_NS);
        abandon();
    }

    /** The connection is lost: every receive ends, behind a fence. */
    void abandon() {
        readers.lockReader();
        progress.enterPolling();
        try {
            engine.abandon();
        } finally {
            progress.leavePolling();
            readers.unlockReader();
        }
    }
}
