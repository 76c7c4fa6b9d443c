package org.exsockets.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.exsockets.jdk.NanoClock;
import org.exsockets.jdk.ShortSleeps;
import org.exsockets.memory.FailedMemory;
import org.exsockets.progress.ProgressThread;
import org.exsockets.stream.Receive;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.ProgramMemory;

/**
 * The receives that are outstanding on a connection: memory that the next bytes of the stream are for, in the order of
 * their posts. Where the device reaches it, the peer may write there straight; all else is copied out of the hidden buffer
 * by whoever calls {@link #advance}.
 *
 * <p>All methods but those marked otherwise take the connection's read lock; they make the caller the reader. While
 * anything is outstanding nothing else is read. A receive ends in the poller's role, which may be any thread's; its owner
 * finds it by {@link #haveEnded} and {@link PostedReceive#isDone}, and lets go of it by {@link #take}. In between its
 * memory is the stream's.
 *
 * <p>A cancelled receive ends when the peer has answered, which it does at once if its program is in a call on the
 * connection, and otherwise when it likes. Without an answer the memory is taken away from it after a while.
 */
public final class PostedReceives {
    static final long ANSWER_LIMIT_NS = 5_000_000;

    /** Where the memory cannot be taken away, the connection is lost without an answer. */
    private static final long LAST_ANSWER_LIMIT_NS = 5_000_000_000L;

    private static final long SPIN_FOR_ANSWER_NS = 20_000;
    private static final long PARK_FOR_ANSWER_NS = 50_000;

    private final ConnectionEnding ending;
    private final ConnectionProgress progress;
    private final Life life;
    private final Endpoint endpoint;
    private final StreamEngine engine;

    /** Those not taken, in order. The reader's. */
    private final ArrayDeque<PostedReceive> posted = new ArrayDeque<>(1);

    /**
     * Whether there are any. Set before the reader looks whether the program has closed; who closes looks here after it has
     * said so. So either the reader does not post, or the close is completed by the reader. Only the reader changes it: who
     * holds the read lock and finds nothing outstanding may release the connection's memory.
     */
    private volatile boolean active;

    /** Receives that have ended so far. Counted by the poller when it has stored that they are done; read by any thread. */
    private volatile int ended;

    /** Receives that were taken so far. Counted by the reader; read by any thread, whom an old value costs a look. */
    private volatile int taken;

    /** Receives whose CANCEL is under way. The reader's. */
    private int cancelling;

    /** Whether {@link #lookAgain} is under way. Set by the reader, cleared before the owner is told to look. */
    private volatile boolean lookingAgain;

    /** How fast the peer fills what is outstanding. Its counters are the reader's. */
    private final DirectRate rate = new DirectRate(NanoClock.SYSTEM);

    private final Runnable lookAgain = new Runnable() {
        @Override
        public void run() {
            lookAgain();
        }
    };

    PostedReceives(ConnectionEnding ending, ConnectionProgress progress) {
        this.ending = ending;
        this.progress = progress;
        this.life = progress.life;
        this.endpoint = progress.endpoint;
        this.engine = progress.engine;
    }

    /** {@return a receive to be posted here, again and again} */
    public PostedReceive newReceive() {
        return new PostedReceive(this);
    }

    /** {@return whether anything is outstanding; any thread, exact for who holds the read lock} */
    boolean isActive() {
        return active;
    }

    /** {@return whether there is something to take; any thread, without a lock} */
    public boolean haveEnded() {
        return ended != taken;
    }

    /**
     * {@return for how long the peer has receives to fill, if it goes on as it did, in nanoseconds; 0 if that is not known; any
     * thread, without a lock}
     */
    public long quietNs() {
        return haveEnded() ? 0 : rate.quietNs();
    }

    /** Poller. */
    void onDone() {
        ended = ended + 1;
    }

    // Posting.

    /**
     * Adds a receive behind those outstanding. It may have ended when this returns.
     *
     * @param memory whose position and limit do not count, and stay; its owner keeps it reachable
     * @param length ≥ 1
     * @param waitsForAll whether it ends only when it is full, see {@link Receive#into}
     */
    public void post(PostedReceive receive, ByteBuffer memory, int offset, int length, boolean waitsForAll) {
        ending.lockReader();
        try {
            boolean offer = DirectReadPolicy.paysPosted(endpoint, length, posted.isEmpty()) && !life.isPeerOver();
            add(receive, memory, offset, length, waitsForAll, offer ? endpoint.register(memory, offset, length) : null);
            active = true;
            postToEngine(receive);
            progress.settleLater();
        } finally {
            ending.unlockReader();
        }
    }

    /**
     * Reader: as above, for bytes that are registered.
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
            ProgramMemory registration) {
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
     * Handles what has arrived, and copies what is in the hidden buffer. A connection that is lost ends every receive, once
     * those that can be are filled with what had come before; then it may wait for a writer in the middle of a copy, some
     * milliseconds at most. Otherwise it never waits.
     */
    public void advance() {
        if (!active) {
            return;
        }
        ending.lockReader();
        try {
            do {
                if (engine.hasMark()) {
                    progress.progressFully(); // Whether a byte is the urgent one depends on what has come behind it.
                }
                fill();
            } while (ended - taken < posted.size() && progress.progress());
            if (!haveEnded()) {
                progress.lookAtLiveness();
            }
            if (life.isLost() && !ending.endsWithJvm() && ended - taken < posted.size()) {
                fill();
                abandonLost();
            }
            if (cancelling > 0) {
                fenceOverdue();
            }
            progress.settleLater();
        } finally {
            ending.unlockReader();
        }
    }

    private void fill() {
        while (engine.hasUnread() && fillFirst()) {
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
            bytes = engine.fill(first);
            progress.traffic.addReceivedIndirect(bytes);
        } catch (RuntimeException | InternalError fault) {
            failure = FailedMemory.told(
                    fault, first.memory(), first.offset() + first.received(), first.length() - first.received());
            if (failure == null) {
                throw fault;
            }
        } finally {
            filled(first, bytes, failure);
        }
        return bytes > 0 || failure != null;
    }

    private void filled(Receive first, int bytes, IOException failure) {
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

    /** Lets go of a receive that has ended; its owner may look at how, until it posts it again. */
    public void take(PostedReceive receive) {
        ending.lockReader();
        try {
            if (receive == posted.peek()) {
                posted.poll();
            } else {
                posted.remove(receive);
            }
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
            progress.traffic.addReceivedDirect(receive.receivedDirect());
            active = !posted.isEmpty();
        } finally {
            ending.unlockReader();
        }
    }

    // Ending.

    /** Has a receive end soon: at once, if the peer cannot be writing to it. Never waits. */
    public void cancel(PostedReceive receive) {
        ending.lockReader();
        try {
            if (receive.cancelledAtNs == 0 && !receive.isDone()) {
                cancelInEngine(receive);
                if (!receive.isDone()) {
                    lookAgainLater();
                }
            }
            progress.settleLater();
        } finally {
            ending.unlockReader();
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

    /** Nothing may come from the peer that would wake the owner. */
    private void lookAgain() {
        lookingAgain = false;
        progress.signalSelectors();
    }

    private void fenceOverdue() {
        boolean waiting = false;
        long nowNs = System.nanoTime();
        for (PostedReceive each : posted) {
            if (each.cancelledAtNs != 0 && !each.isDone() && endpoint.detaches()) {
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
     * Ends receives, and returns when the peer cannot write to their memory any more: when it has answered, or, if it does
     * not in time, because the memory was taken away from it. Where a device cannot do that, the connection is reset. The
     * receives may hold bytes; they are still to be taken.
     *
     * @param some in the order of their posts
     */
    public void takeBack(List<PostedReceive> some) {
        ending.lockReader();
        try {
            for (PostedReceive each : some) {
                if (each.cancelledAtNs == 0 && !each.isDone()) {
                    cancelInEngine(each);
                }
            }
            if (!areDone(some)) {
                awaitAnswers(some);
                if (!areDone(some)) {
                    progress.progressFully(); // Maybe it is this process that has stood still all the time.
                }
                takeAway(some);
            }
        } finally {
            ending.unlockReader();
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
        }.await(endpoint.detaches() ? ANSWER_LIMIT_NS : LAST_ANSWER_LIMIT_NS);
    }

    private void takeAway(List<PostedReceive> some) {
        boolean lost = life.isHungUp();
        // The last first: what is behind a receive that is fenced must not be advertised.
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
     * A thread of the peer may be in the middle of a write when its process resets the progress. Memory that must be taken
     * away from it is not advertised again, so it gets the time it needs, unless it was killed.
     */
    private void abandonLost() {
        new ShortSleeps(PARK_FOR_ANSWER_NS) {
            @Override
            protected boolean isOver() {
                return !mayBeWrittenTo();
            }
        }.await(ANSWER_LIMIT_NS);
        abandon();
    }

    private boolean mayBeWrittenTo() {
        progress.enterPolling();
        try {
            return endpoint.windows() != 0 && engine.mayBeWrittenTo();
        } finally {
            progress.leavePolling();
        }
    }

    /** The connection is lost: every receive ends, behind a fence. */
    void abandon() {
        ending.lockReader();
        progress.enterPolling();
        try {
            engine.abandon();
        } finally {
            progress.leavePolling();
            ending.unlockReader();
        }
    }
}
