package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.exsockets.stream.Receive.Ending;
import org.exsockets.stream.Receive.State;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.wire.MessageDescriptor;

/**
 * The receiver's half of direct transfers: its phase, the receives of the program in their order, and the ADVERTs and
 * CANCELs that are to be sent for them.
 *
 * <p>Belongs to the poller, who handles arrivals, too: so between the look at what has arrived and the ADVERT nothing
 * arrives. An ADVERT is made when there is a message credit for it, not before, and so carries what is true when it goes.
 */
final class PendingReceives {
    private static final int FIRST_CAPACITY = 4;
    private static final Receive[] NONE = {};
    private static final int[] NO_IDS = {};

    private final Link link;
    private final Rules rules;
    private final Spill spill;
    private final WorkRequest request = new WorkRequest();
    private final ByteBuffer message = MessageDescriptor.allocate(1);

    /** In order; the first {@link #size}. */
    private Receive[] pending = NONE;

    private int size;
    private int phase;
    private int live;
    private int nextId;

    /** Ids of CANCELs without an answer, the first {@link #unansweredCount}. */
    private int[] unanswered = NO_IDS;

    private int unansweredCount;

    /** The connection is lost. */
    private boolean abandoned;

    /** Receives whose CANCEL has not been sent. */
    private int cancelsDue;

    /** Whether something could not be sent for lack of a message credit. Written by the poller, read by any thread. */
    private volatile boolean owing;

    PendingReceives(Link link, Spill spill) {
        this.link = link;
        this.rules = link.rules;
        this.spill = spill;
    }

    int size() {
        return size;
    }

    boolean owesOutput() {
        return owing;
    }

    boolean isDirect() {
        return Phase.isDirect(phase);
    }

    /** {@return the first receive, if the peer may write to it; otherwise null} */
    Receive firstAdvertised() {
        return size > 0 && pending[0].isAdvertised() ? pending[0] : null;
    }

    /**
     * {@return the first receive of the program, if bytes may be copied to it; otherwise null} What is kept in the places of
     * receives before it has no use for bytes, and what has come there is read like any other.
     */
    Receive firstWaiting() {
        for (int i = 0; i < size; i++) {
            Receive receive = pending[i];
            if (!receive.detached) {
                return receive.state() == State.WAITING && !receive.filling ? receive : null;
            }
        }
        return null;
    }

    void add(Receive receive) {
        if (receive.state() != State.IDLE) {
            throw new IllegalStateException("receive: posted twice: state=" + receive.state());
        }
        receive.cancelWanted = false;
        receive.filling = false;
        if (abandoned) {
            receive.end(Ending.RESET);
            return;
        }
        receive.state(State.WAITING);
        insert(size, receive);
    }

    private void insert(int index, Receive receive) {
        if (size == pending.length) {
            pending = Arrays.copyOf(pending, Math.max(FIRST_CAPACITY, 2 * size));
        }
        System.arraycopy(pending, index, pending, index + 1, size - index);
        pending[index] = receive;
        size++;
    }

    private void remove(int index) {
        size--;
        System.arraycopy(pending, index + 1, pending, index, size - index);
        pending[size] = null;
        if (size == 0) {
            owing = false;
        }
    }

    private void end(int index, Ending how) {
        Receive receive = pending[index];
        kill(receive);
        remove(index);
        receive.end(how);
    }

    /** The ADVERT of {@code receive}, if there is one, is not live any more. */
    private void kill(Receive receive) {
        if (receive.isAdvertised()) {
            live--;
            if (receive.state() == State.CANCELLING && !receive.cancelSent) {
                cancelsDue--;
            }
            receive.state(State.WAITING);
        }
    }

    // Sending.

    /**
     * Sends the CANCELs and ADVERTs that are due, and ends what the end of the stream ends.
     *
     * @param received bytes of the stream that have arrived
     * @param unread bytes of those that no receive has got yet
     */
    void advance(long received, long unread, boolean finArrived) {
        owing = false;
        if (size == 0) {
            return;
        }
        if (cancelsDue > 0 && !sendCancels()) {
            owing = true;
            return;
        }
        if (finArrived && unread == 0) {
            endAll(Ending.END_OF_STREAM);
        } else if (rules.mayAdvertise(unread, finArrived)) {
            advertise(received);
        }
    }

    private void advertise(long received) {
        long outstanding = 0;
        for (int i = 0; i < size; i++) {
            Receive receive = pending[i];
            if (!receive.isAdvertised()
                    && (receive.filling
                            || live + unansweredCount >= rules.advertLimit()
                            || !advertise(receive, rules.advertisedPosition(received, outstanding)))) {
                return;
            }
            outstanding += receive.advertisedLength;
            boolean restFollows = receive.waitsForAll() && receive.advertisedLength < receive.wanted();
            if (restFollows || receive.detached) {
                return; // Bytes for it come before those for what is behind it, by whatever way.
            }
        }
    }

    private boolean advertise(Receive receive, long position) {
        ProgramMemory registration = receive.registration();
        if (registration == null) {
            return false;
        }
        int from = receive.offset() + receive.received();
        int length = registration.advertisable(receive.memory(), from, receive.wanted());
        if (length <= 0) {
            return false;
        }
        if (!link.credits.tryTake()) {
            owing = true;
            return false;
        }
        if (!isDirect()) {
            phase++;
            link.listener.onReceivingPhase();
        }
        receive.id = takeId();
        receive.advertisedFrom = from;
        receive.advertisedLength = length;
        receive.cancelSent = false;
        receive.state(State.ADVERTISED);
        live++;
        MessageDescriptor.encodeAdvert(
                message,
                link.credits.takeOwed(Short.MAX_VALUE),
                receive.id,
                phase,
                position,
                registration.remoteAddress(receive.memory(), from),
                registration.rkey(),
                length,
                receive.waitsForAll());
        return link.send(request, message);
    }

    private int takeId() {
        int mask = rules.idLimit() - 1;
        while (true) {
            int id = nextId++ & mask;
            if (rules.isFree(indexOfLive(id) >= 0, indexOfUnanswered(id) >= 0)) {
                return id;
            }
        }
    }

    private int indexOfLive(int id) {
        for (int i = 0; i < size; i++) {
            if (pending[i].isAdvertised() && pending[i].id == id) {
                return i;
            }
        }
        return -1;
    }

    private int indexOfUnanswered(int id) {
        for (int i = 0; i < unansweredCount; i++) {
            if (unanswered[i] == id) {
                return i;
            }
        }
        return -1;
    }

    private boolean sendCancels() {
        for (int i = 0; i < size; i++) {
            Receive receive = pending[i];
            if (receive.state() != State.CANCELLING || receive.cancelSent) {
                continue;
            }
            if (!link.credits.tryTake()) {
                return false;
            }
            receive.cancelSent = true;
            cancelsDue--;
            if (unansweredCount == unanswered.length) {
                unanswered = Arrays.copyOf(unanswered, Math.max(FIRST_CAPACITY, 2 * unansweredCount));
            }
            unanswered[unansweredCount++] = receive.id;
            link.listener.onCancel();
            MessageDescriptor.encodeCancel(message, link.credits.takeOwed(Short.MAX_VALUE), receive.id, phase);
            if (!link.send(request, message)) {
                return true; // The connection is lost, and with it the answer: see to it behind the fence.
            }
            if (!rules.awaitsCancelled()) {
                end(i--, Ending.CANCELLED);
            }
        }
        return true;
    }

    // Cancelling.

    /** Has the receive end soon. A receive that the peer may write to ends later. */
    void cancel(Receive receive) {
        int index = indexOf(receive);
        if (index < 0) {
            return;
        }
        switch (receive.state()) {
            case WAITING -> {
                if (receive.filling) {
                    receive.cancelWanted = true;
                } else {
                    end(index, Ending.CANCELLED);
                }
            }
            case ADVERTISED -> {
                receive.state(State.CANCELLING);
                cancelsDue++;
            }
            default -> {}
        }
    }

    private int indexOf(Receive receive) {
        for (int i = 0; i < size; i++) {
            if (pending[i] == receive) {
                return i;
            }
        }
        return -1;
    }

    /** The peer has answered. {@return false if it was not asked} */
    boolean onCancelled(int id) {
        int index = indexOfUnanswered(id);
        if (index < 0) {
            return false;
        }
        unanswered[index] = unanswered[--unansweredCount];
        int cancelled = indexOfLive(id);
        if (cancelled >= 0) {
            end(cancelled, Ending.CANCELLED);
        }
        return true;
    }

    // Arrivals.

    /**
     * The peer has written to advertised memory.
     *
     * @return what is wrong with that, or null
     */
    String onDirect(int id, int bytes, long unread) {
        Receive first = firstAdvertised();
        if (first == null || first.id != id) {
            return "bytes for an ADVERT that is not the first live one";
        }
        if (unread != 0 && !first.detached || bytes <= 0 || bytes > first.advertisedLength) {
            return "bytes beyond what was advertised";
        }
        first.add(bytes, true);
        if (first.detached) {
            spill.add(first.memory().duplicate().position(first.advertisedFrom).limit(first.advertisedFrom + bytes));
        }
        first.advertisedFrom += bytes;
        first.advertisedLength -= bytes;
        boolean cancelling = first.state() == State.CANCELLING;
        boolean over = !first.waitsForAll() || first.wanted() == 0;
        if (over) {
            end(0, Ending.RECEIVED);
        } else if (cancelling && (first.advertisedLength == 0 || rules.endsCancelled(over))) {
            end(0, Ending.CANCELLED);
        } else if (first.advertisedLength == 0) {
            kill(first); // Only a part of it could be advertised, and that is full.
        }
        return null;
    }

    /** Bytes have come to the hidden buffer while the phase was a direct one. */
    void onIndirect() {
        phase++;
        link.listener.onReceivingPhase();
        killAll();
    }

    /** Every ADVERT is dead: receives that are being cancelled are over, the others wait again. */
    void killAll() {
        for (int i = 0; i < size; i++) {
            if (pending[i].state() == State.CANCELLING) {
                end(i--, Ending.CANCELLED);
            } else {
                kill(pending[i]);
            }
        }
    }

    /** The reader has copied {@code bytes} into a receive that {@link #firstWaiting} gave. */
    void filled(Receive receive, int bytes) {
        receive.filling = false;
        receive.add(bytes, false);
        if (abandoned) {
            endAll(Ending.RESET);
            return;
        }
        boolean over = bytes > 0 && !receive.waitsForAll() || receive.wanted() == 0;
        if (over) {
            end(indexOf(receive), Ending.RECEIVED);
        } else if (receive.cancelWanted) {
            end(indexOf(receive), Ending.CANCELLED);
        }
    }

    private void endAll(Ending how) {
        while (size > 0) {
            if (pending[0].filling) {
                return; // It comes back.
            }
            end(0, how);
        }
    }

    // The fence.

    /**
     * Ends a receive whose CANCELLED does not come: its memory is taken away from the peer. What has been, and may still
     * be, written there belongs to the stream; it is kept in the receive's place.
     *
     * <p>So is that of every receive behind it that is advertised: what the peer writes to the first place must be read
     * before what it writes behind it, so no later receive may get bytes from the peer before it has got those. They wait
     * behind all places, and are advertised again when the peer has answered.
     *
     * @return false if the device cannot take the memory of one of them away; all is as it should be, but for that
     */
    boolean fence(Receive receive) {
        int index = indexOf(receive);
        if (index < 0) {
            return true;
        }
        if (!receive.isAdvertised()) {
            cancel(receive);
            return true;
        }
        // Live ADVERTs come first, those in whose places something is kept last of them: so each step leaves it like
        // that.
        for (int i = rules.fencesThoseBehind() ? size - 1 : index; i >= index; i--) {
            Receive next = pending[i];
            if (next.isAdvertised() && !next.detached && !detach(i, next == receive)) {
                return false;
            }
        }
        return true;
    }

    private boolean detach(int index, boolean over) {
        Receive receive = pending[index];
        ByteBuffer kept = link.endpoint.detach(receive.memory(), receive.advertisedFrom, receive.advertisedLength);
        if (kept == null) {
            return false;
        }
        boolean cancelled = over || receive.state() == State.CANCELLING;
        if (receive.state() == State.ADVERTISED) {
            cancel(receive);
        }
        pending[index] = new Detached(kept, receive);
        if (cancelled) {
            receive.end(Ending.CANCELLED);
            return true;
        }
        int behind = index + 1;
        while (behind < size && pending[behind].detached) {
            behind++;
        }
        receive.state(State.WAITING);
        insert(behind, receive);
        return true;
    }

    /**
     * In the place of a receive whose memory was taken away from the peer. What comes there is {@link Spill}'s as soon as the
     * peer has told of it.
     */
    private static final class Detached extends Receive {
        Detached(ByteBuffer kept, Receive of) {
            into(kept, 0, of.advertisedLength, of.waitsForAll(), null);
            id = of.id;
            advertisedLength = of.advertisedLength;
            detached = true;
            cancelSent = of.cancelSent;
            state(of.state());
        }
    }

    /**
     * The connection is lost, by whatever side: every receive ends, those that the peer may still write to behind a fence.
     * The peer's own threads may be writing while its reset is already here.
     */
    void abandon() {
        boolean severed = false;
        for (int i = 0; i < size; i++) {
            Receive receive = pending[i];
            if (rules.fences()
                    && !severed
                    && receive.isAdvertised()
                    && !receive.detached
                    && link.endpoint.detach(receive.memory(), receive.advertisedFrom, receive.advertisedLength)
                            == null) {
                link.endpoint.sever();
                severed = true;
            }
        }
        owing = false;
        abandoned = true;
        endAll(Ending.RESET);
    }
}
