package org.exsockets.stream.direct;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.exsockets.stream.link.Link;
import org.exsockets.stream.link.Phase;
import org.exsockets.stream.link.Rules;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.DirectAccess.MemoryWindows;
import org.exsockets.verbs.SpinGate;
import org.exsockets.wire.MessageDescriptor;
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
 * since the writer may be in no call. Of an ADVERT in use it only notes it; the writer queues the answer later.
 */
public final class AdvertQueue {
    private static final Advert[] NONE = {};
    private static final int[] NO_IDS = {};

    private final Link link;
    private final DirectAccess direct;

    /** Of the peer; null: the device has none. */
    private final @Nullable MemoryWindows windows;

    /** Whether ADVERTs are used at all. */
    private final boolean use;

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

    /** ADVERTs so far, also stale ones. Counted by the poller. */
    private volatile int seen;

    // Poller: of the latest ADVERT, and of the latest refused one.
    private boolean refusing;
    private int refusedPhase;
    private int latestPhase;
    private long latestPosition;

    /** @param use whether to write to memory that the peer has advertised */
    public AdvertQueue(Link link, DirectAccess direct, boolean use) {
        this.link = link;
        this.direct = direct;
        this.windows = direct.windows();
        this.use = use;
    }

    /** {@return whether there may be an ADVERT to use; any thread} */
    public boolean isWaiting() {
        return waiting != 0;
    }

    /** {@return whether a CANCELLED is due; any thread} */
    public boolean owesAnswer() {
        return answersDue != 0;
    }

    /** {@return ADVERTs so far, also stale ones; wraps; any thread} */
    public int seen() {
        return seen;
    }

    // Poller.

    /**
     * The peer has advertised memory.
     *
     * @param sent bytes of the stream that this end has sent
     * @param finished whether no bytes follow these
     */
    public void onAdvert(ByteBuffer message, int offset, long sent, boolean finished) {
        int id = MessageDescriptor.id(message, offset);
        int adPhase = MessageDescriptor.phase(message, offset);
        long position = MessageDescriptor.position(message, offset);
        long length = MessageDescriptor.length(message, offset);
        long address = MessageDescriptor.address(message, offset);
        int rkey = MessageDescriptor.rkey(message, offset);
        seen = seen + 1;
        String problem = problem(id, adPhase, position, length, sent);
        if (problem != null) {
            link.violation(problem, position);
        } else if (!use || finished || !wouldKeep(adPhase, position, sent)) {
            // Nor may a later one be used: if the bytes that made this one stale are taken back, it would seem good.
            refuse(adPhase);
            gate.enter();
            link.listener.onStaleAdvert();
            gate.exit();
        } else if (!direct.reach(address, rkey, length)) {
            refuse(adPhase);
        } else {
            boolean waitsForAll = (MessageDescriptor.flags(message, offset) & MessageDescriptor.FLAG_WAIT_ALL) != 0;
            if (!add(id, adPhase, position, address, rkey, length, waitsForAll)) {
                link.violation("more ADVERTs than agreed, or one twice", id);
            }
        }
    }

    /** The peer has cancelled an ADVERT. */
    public void onCancel(int id, int adPhase) {
        if (id < 0 || id >= link.rules.idLimit() || !cancel(id, adPhase)) {
            link.violation("CANCEL of an impossible id, or more of them than ADVERTs", id);
        }
    }

    /**
     * Checks an ADVERT against the earlier ones and the bytes sent.
     *
     * @return what is wrong with it, or null
     */
    @Nullable
    private String problem(int id, int adPhase, long position, long length, long sent) {
        if (id < 0 || id >= link.rules.idLimit() || length <= 0) {
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
    private boolean wouldKeep(int adPhase, long position, long sent) {
        if (refusing && refusedPhase == adPhase) {
            return false;
        }
        gate.enter();
        try {
            return link.rules.accepts(adPhase, position, phase, sent);
        } finally {
            gate.exit();
        }
    }

    /** An ADVERT cannot be used. While the phase lasts, neither can those behind it, which are for later bytes. */
    private void refuse(int adPhase) {
        refusing = true;
        refusedPhase = adPhase;
    }

    /** Keeps an ADVERT. {@return false if the peer has advertised more than it may, or an id twice} */
    private boolean add(int id, int adPhase, long position, long address, int rkey, long length, boolean waitsForAll) {
        gate.enter();
        try {
            dropBefore(adPhase);
            for (int i = 0; i < size; i++) {
                if (queue[i].id == id) {
                    return false;
                }
            }
            if (size == Rules.ADVERT_LIMIT + (inUse ? 1 : 0)) {
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
        queue = Arrays.copyOf(queue, Math.max(4, Math.min(Rules.ADVERT_LIMIT + 1, 2 * old)));
        for (int i = old; i < queue.length; i++) {
            queue[i] = new Advert();
        }
    }

    /** Removes the ADVERTs of earlier phases: bytes that went indirectly have made them stale. */
    private void dropBefore(int adPhase) {
        for (int i = size - 1; i >= (inUse ? 1 : 0); i--) {
            if (Phase.isLater(adPhase, queue[i].phase)) {
                remove(i);
                link.listener.onStaleAdvert();
            }
        }
    }

    /** The peer has sent a CANCEL. {@return false if it has sent more of them than it may} */
    private boolean cancel(int id, int adPhase) {
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
        if (answersDue == Rules.ADVERT_LIMIT + 1) {
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
    public int nextAnswer() {
        gate.enter();
        try {
            return answers[0];
        } finally {
            gate.exit();
        }
    }

    /** The CANCELLED for {@link #nextAnswer} has been posted. */
    public void answered() {
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
    public boolean isDirect() {
        return Phase.isDirect(phase);
    }

    /**
     * Takes the ADVERT for the next bytes.
     *
     * @param sent bytes of the stream sent
     * @return null if there is none; otherwise {@link #end} must follow
     */
    @Nullable
    public Advert begin(long sent) {
        gate.enter();
        try {
            while (tested < size) {
                Advert next = queue[tested];
                if (link.rules.accepts(next.phase, next.position, phase, sent)) {
                    if (phase != next.phase) {
                        phase = next.phase;
                        link.listener.onSendingPhase();
                    }
                    tested++;
                } else {
                    remove(tested);
                    link.listener.onStaleAdvert();
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

    /** {@return whether the bytes may be written; then {@link #leave} follows} After {@link #begin}. */
    public boolean tryEnter(Advert advert) {
        return windows == null || windows.tryEnter(advert.address) || !link.rules.heedsWindows();
    }

    /** The bytes have been announced, or could not be written. */
    public void leave() {
        if (windows != null) {
            windows.leave();
        }
    }

    /**
     * The transfer has been posted, or was not made.
     *
     * @param bytes of the transfer; 0: it was not made
     */
    public void end(Advert advert, long bytes) {
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
    public void goIndirect() {
        gate.enter();
        try {
            if (Phase.isDirect(phase)) {
                phase++;
                link.listener.onSendingPhase();
            }
            if (link.rules.discardsWhenIndirect()) {
                discardAll();
            }
        } finally {
            gate.exit();
        }
    }

    /** No bytes follow. */
    public void finish() {
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
            link.listener.onStaleAdvert();
        }
    }
}
