package org.exsockets.stream;

import java.util.Arrays;
import org.exsockets.verbs.SpinGate;
import org.jspecify.annotations.Nullable;

/**
 * The sender's half of direct transfers: its phase, the ADVERTs of the peer, and the CANCELs that are still to be
 * answered.
 *
 * <p>An ADVERT counts as arrived when the <em>writer</em> tests it, before its next transfer. The test depends on the
 * bytes sent and on the phase, and only the writer changes these. So the result is that of an ADVERT that was under way
 * a little longer, behind the earlier ones. The poller tests an ADVERT on arrival, too: one that is stale then stays
 * stale, and is not kept.
 *
 * <p>The poller and the writer share the queue under {@link #gate}, held for a few instructions. A stream without
 * ADVERTs enters it only at its first byte and its end, because {@link #waiting} is 0. The poller carries out a CANCEL,
 * since the writer may be in no call. It only marks an ADVERT in use; the writer queues the answer later.
 */
final class AdvertQueue {
    /** Most ADVERTs of one direction that may be live or have an unanswered CANCEL. */
    static final int LIMIT = 32;

    private static final Advert[] NONE = {};
    private static final int[] NO_IDS = {};

    private final Rules rules;
    private final StreamListener listener;

    /** Guards the fields below, with the exceptions stated there. */
    private final SpinGate gate = new SpinGate();

    /** The first {@link #size} are queued, the others are spare. Allocated at the first ADVERT. */
    private Advert[] queue = NONE;

    private int size;

    /** So many of the first have passed the writer's test. They stay good as long as no byte goes indirectly. */
    private int tested;

    /** The writer's current transfer uses the first one. */
    private boolean inUse;

    /** Written by the writer under the gate; the writer reads it without the gate. */
    private int phase;

    /** {@link #size}, for reads without the gate. An ADVERT that such a read misses counts as one that comes later. */
    private volatile int waiting;

    /** Ids that a CANCELLED is due for, in order. */
    private int[] answers = NO_IDS;

    /**
     * Number of {@link #answers}. Counted up under the gate together with the removal of the ADVERT, and down after the
     * post of the CANCELLED. So if a thread finds an ADVERT removed and 0 here, the CANCELLED is on its way.
     */
    private volatile int answersDue;

    // Poller: of the latest ADVERT, and of the latest refused one.
    private boolean refusing;
    private int refusedPhase;
    private int latestPhase;
    private long latestPosition;

    AdvertQueue(Rules rules, StreamListener listener) {
        this.rules = rules;
        this.listener = listener;
    }

    /** {@return whether there may be an ADVERT to use; any thread} */
    boolean isWaiting() {
        return waiting != 0;
    }

    /** {@return whether a CANCELLED is due; any thread} */
    boolean owesAnswer() {
        return answersDue != 0;
    }

    // Poller.

    /**
     * Checks an ADVERT against the earlier ones and the bytes sent.
     *
     * @return what is wrong with it, or null
     */
    @Nullable
    String problem(int id, int adPhase, long position, long length, long sent) {
        if (id < 0 || id >= rules.idLimit() || length <= 0) {
            return "ADVERT of impossible id or length";
        }
        if (!Phase.isDirect(adPhase) || Phase.isLater(latestPhase, adPhase)) {
            return "ADVERT of a phase that cannot be";
        }
        if (position < latestPosition || position > sent) {
            return "ADVERT at a position that cannot be";
        }
        latestPhase = adPhase;
        latestPosition = position;
        return null;
    }

    /** {@return whether the ADVERT may be of use} */
    boolean wouldKeep(int adPhase, long position, long sent) {
        if (refusing && refusedPhase == adPhase) {
            return false;
        }
        gate.enter();
        try {
            return rules.accepts(adPhase, position, phase, sent);
        } finally {
            gate.exit();
        }
    }

    /** An ADVERT cannot be used. While the phase lasts, neither can those behind it, which are for later bytes. */
    void refuse(int adPhase) {
        refusing = true;
        refusedPhase = adPhase;
    }

    /** An ADVERT was stale. */
    void onStale() {
        gate.enter();
        listener.onStaleAdvert();
        gate.exit();
    }

    /** Keeps an ADVERT. {@return false if the peer has advertised more than it may, or an id twice} */
    boolean add(int id, int adPhase, long position, long address, int rkey, long length, boolean waitsForAll) {
        gate.enter();
        try {
            dropBefore(adPhase);
            for (int i = 0; i < size; i++) {
                if (queue[i].id == id) {
                    return false;
                }
            }
            if (size == LIMIT + (inUse ? 1 : 0)) {
                return false;
            }
            if (size == queue.length) {
                grow();
            }
            Advert advert = queue[size];
            advert.id = id;
            advert.phase = adPhase;
            advert.position = position;
            advert.address = address;
            advert.rkey = rkey;
            advert.length = length;
            advert.waitsForAll = waitsForAll;
            advert.used = 0;
            advert.cancelled = false;
            size++;
            waiting = size;
            return true;
        } finally {
            gate.exit();
        }
    }

    private void grow() {
        int old = queue.length;
        queue = Arrays.copyOf(queue, Math.max(4, Math.min(LIMIT + 1, 2 * old)));
        for (int i = old; i < queue.length; i++) {
            queue[i] = new Advert();
        }
    }

    /** Removes the ADVERTs of earlier phases: bytes that went indirectly have made them stale. */
    private void dropBefore(int adPhase) {
        for (int i = size - 1; i >= (inUse ? 1 : 0); i--) {
            if (Phase.isLater(adPhase, queue[i].phase)) {
                remove(i);
                listener.onStaleAdvert();
            }
        }
    }

    /** The peer has sent a CANCEL. {@return false if it has sent more of them than it may} */
    boolean cancel(int id, int adPhase) {
        gate.enter();
        try {
            for (int i = 0; i < size; i++) {
                Advert advert = queue[i];
                if (advert.id == id && advert.phase == adPhase) {
                    if (i == 0 && inUse) {
                        boolean once = !advert.cancelled;
                        advert.cancelled = true;
                        return once;
                    }
                    remove(i);
                    break;
                }
            }
            return answer(id);
        } finally {
            gate.exit();
        }
    }

    private boolean answer(int id) {
        if (answersDue == LIMIT + 1) {
            return false; // One may be posted but not counted down yet, while the peer sends another CANCEL.
        }
        if (answersDue == answers.length) {
            answers = Arrays.copyOf(answers, Math.max(4, 2 * answersDue));
        }
        answers[answersDue] = id;
        answersDue = answersDue + 1;
        return true;
    }

    private void remove(int index) {
        Advert removed = queue[index];
        size--;
        System.arraycopy(queue, index + 1, queue, index, size - index);
        queue[size] = removed;
        if (index < tested) {
            tested--;
        }
        waiting = size;
    }

    // Flush.

    /** {@return the id that is to be answered next, if {@link #owesAnswer}} */
    int nextAnswer() {
        gate.enter();
        try {
            return answers[0];
        } finally {
            gate.exit();
        }
    }

    /** The CANCELLED for {@link #nextAnswer} has been posted. */
    void answered() {
        gate.enter();
        try {
            System.arraycopy(answers, 1, answers, 0, answersDue - 1);
            answersDue = answersDue - 1;
        } finally {
            gate.exit();
        }
    }

    // Writer.

    /** {@return whether the latest bytes went directly, or none have been sent} */
    boolean isDirect() {
        return Phase.isDirect(phase);
    }

    /**
     * Takes the ADVERT for the next bytes.
     *
     * @param sent bytes of the stream sent
     * @return null if there is none; otherwise {@link #end} must follow
     */
    @Nullable
    Advert begin(long sent) {
        gate.enter();
        try {
            while (tested < size) {
                Advert next = queue[tested];
                if (rules.accepts(next.phase, next.position, phase, sent)) {
                    if (phase != next.phase) {
                        phase = next.phase;
                        listener.onSendingPhase();
                    }
                    tested++;
                } else {
                    remove(tested);
                    listener.onStaleAdvert();
                }
            }
            if (size == 0) {
                return null;
            }
            inUse = true;
            return queue[0];
        } finally {
            gate.exit();
        }
    }

    /**
     * The transfer has been posted, or was not made.
     *
     * @param bytes of the transfer; 0: it was not made
     */
    void end(Advert advert, long bytes) {
        gate.enter();
        try {
            inUse = false;
            advert.used += bytes;
            boolean over = bytes > 0 && (!advert.waitsForAll || advert.left() == 0);
            if (over || advert.cancelled) {
                remove(0);
            }
            if (advert.cancelled) {
                answer(advert.id);
            }
        } finally {
            gate.exit();
        }
    }

    /** The next bytes go indirectly. */
    void goIndirect() {
        gate.enter();
        try {
            if (Phase.isDirect(phase)) {
                phase++;
                listener.onSendingPhase();
            }
            if (rules.discardsWhenIndirect()) {
                discardAll();
            }
        } finally {
            gate.exit();
        }
    }

    /** No bytes follow. */
    void finish() {
        gate.enter();
        try {
            discardAll();
        } finally {
            gate.exit();
        }
    }

    private void discardAll() {
        while (size > 0) {
            remove(size - 1);
            listener.onStaleAdvert();
        }
    }
}
