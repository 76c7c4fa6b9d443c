package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.exsockets.stream.Receive.Ending;
import org.exsockets.stream.Receive.State;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.wire.MessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The receiver's half of direct transfers: its phase, the receives of the program in their order, and the ADVERTs and
 * CANCELs that are to be sent for them.
 *
 * <p>Belongs to the poller, which also handles arrivals. So nothing arrives between the check of what has arrived and
 * the ADVERT. An ADVERT is only made once there is a message credit for it, so it is still true when it is sent.
 */
final class PendingReceives {
    private static final int FIRST_CAPACITY = 4;
    private static final Receive[] NONE = {};

    private final Link link;
    private final Rules rules;
    private final Spill spill = new Spill();
    private final AdvertIds ids;
    private final boolean hasWindows;
    private final WorkRequest request = new WorkRequest();
    private final ByteBuffer message = MessageDescriptor.allocate(1);

    /** In order; the first {@link #size}. */
    private Receive[] pending = NONE;

    private int size;
    private int phase;
    private int live;

    /**
     * The latest bytes came indirectly although receives were advertised: the peer is ahead, and most ADVERTs come too
     * late. So only one at a time is sent until one has been used.
     */
    private boolean overtaken;

    /** The connection is lost. */
    private boolean abandoned;

    /** Receives whose CANCEL has not been sent. */
    private int cancelsDue;

    /** There may be cancelled receives whose windows are not closed. */
    private boolean closingDue;

    /** Whether something could not be sent for lack of a message credit. Written by the poller, read by any thread. */
    private volatile boolean owing;

    /** @param first whether no bytes have come yet; earlier ones came indirectly */
    PendingReceives(Link link, boolean first) {
        this.link = link;
        this.rules = link.rules;
        this.phase = first ? Phase.FIRST : Phase.FIRST + 1;
        int windows = link.endpoint.windows();
        this.hasWindows = windows != 0;
        this.ids = new AdvertIds(rules, windows);
        if (hasWindows && windows < rules.advertLimit()) {
            throw new IllegalArgumentException("stream: fewer windows than ADVERTs: windows=" + windows);
        }
    }

    int size() {
        return size;
    }

    /** {@return the bytes that the peer has written to detached memory} */
    Spill spill() {
        return spill;
    }

    boolean owesOutput() {
        return owing;
    }

    private boolean isDirect() {
        return Phase.isDirect(phase);
    }

    /** {@return the first receive, if the peer may write to it; otherwise null} */
    @Nullable
    Receive firstAdvertised() {
        return size > 0 && pending[0].isAdvertised() ? pending[0] : null;
    }

    /**
     * {@return the first receive of the program, if bytes may be copied to it; otherwise null} A {@link Place} takes no
     * buffered bytes; its own bytes are in {@link #spill}.
     */
    @Nullable
    Receive firstWaiting() {
        for (int i = 0; i < size; i++) {
            Receive receive = pending[i];
            if (!receive.isPlace()) {
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
     * Sends the CANCELs and ADVERTs that are due; at the end of the stream, ends the receives.
     *
     * @param received bytes of the stream that have arrived
     * @param unread bytes of those that are in no receive yet
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
                            || overtaken && live > 0
                            || live + ids.unanswered() >= rules.advertLimit()
                            || !advertise(receive, rules.advertisedPosition(received, outstanding)))) {
                return;
            }
            outstanding += receive.advertisedLength;
            boolean restFollows = receive.waitsForAll() && receive.advertisedLength < receive.wanted();
            if (restFollows || receive.keepsBytes()) {
                return; // Its bytes come before those of the receives behind it, directly or indirectly.
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
        receive.id = ids.take(this);
        receive.closed = false;
        receive.advertisedFrom = from;
        receive.advertisedLength = length;
        receive.cancelSent = false;
        receive.state(State.ADVERTISED);
        live++;
        long address = registration.remoteAddress(receive.memory(), from);
        MessageDescriptor.encodeAdvert(
                message,
                link.credits.takeOwed(Short.MAX_VALUE),
                receive.id,
                phase,
                position,
                hasWindows ? link.endpoint.openWindow(ids.window(receive.id), address) : address,
                registration.rkey(),
                length,
                receive.waitsForAll());
        return link.send(request, message);
    }

    /** {@return the receive whose live ADVERT has the same {@code bits} of its id; -1 if none} */
    int indexOfLive(int id, int bits) {
        for (int i = 0; i < size; i++) {
            if (pending[i].isAdvertised() && ((pending[i].id ^ id) & bits) == 0) {
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
            ids.ask(receive.id);
            link.listener.onCancel();
            MessageDescriptor.encodeCancel(message, link.credits.takeOwed(Short.MAX_VALUE), receive.id, phase);
            if (!link.sendSoliciting(request, message)) {
                return true; // The connection is lost, and no answer comes: abandon() ends the receive.
            }
            if (!rules.awaitsCancelled()) {
                end(i--, Ending.CANCELLED);
            }
        }
        return true;
    }

    // Cancelling.

    /** Ends the receive: now, or when it is no longer advertised or being filled. */
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
                closingDue = hasWindows;
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

    /** The peer has answered a CANCEL. {@return false if none was sent} */
    boolean onCancelled(int id) {
        if (!ids.onAnswer(id)) {
            return false;
        }
        int cancelled = indexOfLive(id, -1);
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
    @Nullable
    String onDirect(int id, int bytes, long unread) {
        Receive first = firstAdvertised();
        if (first == null || first.id != id) {
            return "bytes for an ADVERT that is not the first live one";
        }
        boolean place = first.isPlace();
        if (place && !first.keepsBytes()) {
            return "bytes for an ADVERT that was taken back";
        }
        if (unread != 0 && !place || bytes <= 0 || bytes > first.advertisedLength) {
            return "bytes beyond what was advertised";
        }
        overtaken = false;
        first.add(bytes, true);
        if (place) {
            spill.add(((Place) first).written(bytes));
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
            kill(first); // Only a part of it could be advertised, and that part is full.
        }
        return null;
    }

    /** Bytes have come to the hidden buffer. */
    void onIndirect() {
        if (!isDirect()) {
            return;
        }
        overtaken = live > 0;
        phase++;
        link.listener.onReceivingPhase();
        killAll();
    }

    /** No ADVERT is live any more: receives that are being cancelled end, the others wait again. */
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
                return; // filled() comes first.
            }
            end(0, how);
        }
    }

    // The fence.

    /**
     * Closes the windows of the receives that are cancelled.
     *
     * @return whether one was closed that the peer is not within: after handling arrivals {@link #endClosed} follows
     */
    boolean closeWindows() {
        if (!closingDue) {
            return false;
        }
        closingDue = false;
        boolean any = false;
        for (int i = 0; i < size; i++) {
            Receive receive = pending[i];
            if (receive.state() == State.CANCELLING && !receive.isPlace()) {
                any |= close(receive);
                closingDue |= !receive.closed;
            }
        }
        return any;
    }

    /** As {@link #closeWindows}, for {@code receive} and the advertised receives behind it. */
    boolean closeWindowsFrom(Receive receive) {
        boolean any = false;
        for (int i = indexOf(receive); hasWindows && i >= 0 && i < size; i++) {
            any |= pending[i].isAdvertised() && !pending[i].isPlace() && close(pending[i]);
        }
        return any;
    }

    private boolean close(Receive receive) {
        receive.closed = hasWindows && link.endpoint.closeWindow(ids.window(receive.id));
        return receive.closed;
    }

    /**
     * Ends cancelled receives with closed windows, without an answer; others wait again. What the peer has written
     * through these windows has arrived, and nothing more comes through them.
     */
    void endClosed() {
        for (int i = size - 1; i >= 0; i--) {
            if (pending[i].closed && pending[i].isAdvertised()) {
                leavePlace(i, false, null);
            }
        }
    }

    /**
     * Ends a receive whose CANCELLED does not come: its memory is detached. Bytes that the peer has written there, or
     * still writes, belong to the stream, and are kept in the receive's {@link Place}.
     *
     * <p>The memory of all advertised receives behind it is detached, too: bytes in the first place must be read before
     * later ones, so no later receive may get bytes first. These receives wait behind all places, and are advertised
     * again when the peer has answered.
     *
     * @return false if the device cannot detach the memory of one of them; the state is consistent all the same
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
        // From the back, to keep the order: live ADVERTs come first, and last among them the places that keep bytes.
        for (int i = rules.fencesThoseBehind() ? size - 1 : index; i >= index; i--) {
            Receive next = pending[i];
            if (next.isAdvertised() && !next.isPlace()) {
                ByteBuffer kept = link.endpoint.detach(next.memory(), next.advertisedFrom, next.advertisedLength);
                if (kept == null) {
                    return false;
                }
                leavePlace(i, next == receive, kept);
            }
        }
        return true;
    }

    /** A {@link Place} replaces the receive, which ends if {@code over} or cancelled; otherwise it waits behind. */
    private void leavePlace(int index, boolean over, @Nullable ByteBuffer kept) {
        Receive receive = pending[index];
        boolean cancelled = over || receive.state() == State.CANCELLING;
        if (receive.state() == State.ADVERTISED) {
            cancel(receive);
        }
        pending[index] = new Place(receive, kept);
        if (cancelled) {
            receive.end(Ending.CANCELLED);
            return;
        }
        int behind = index + 1;
        while (behind < size && pending[behind].isPlace()) {
            behind++;
        }
        receive.state(State.WAITING);
        insert(behind, receive);
    }

    /** {@return whether the peer may be writing to memory of the program now} Closes all windows. */
    boolean mayBeWrittenTo() {
        boolean any = false;
        for (int i = 0; i < size; i++) {
            any |= pending[i].isAdvertised() && !pending[i].isPlace() && !close(pending[i]);
        }
        return any;
    }

    /**
     * The connection is lost: every receive ends. Memory that the peer may still write to is taken away first, because
     * threads of the peer may be writing after its reset has arrived.
     */
    void abandon() {
        boolean severed = false;
        for (int i = 0; i < size; i++) {
            Receive receive = pending[i];
            if (rules.fences()
                    && !severed
                    && receive.isAdvertised()
                    && !receive.isPlace()
                    && !close(receive)
                    && !link.endpoint.takeAway(receive.memory(), receive.advertisedFrom, receive.advertisedLength)) {
                link.endpoint.sever();
                severed = true;
            }
        }
        owing = false;
        abandoned = true;
        endAll(Ending.RESET);
    }
}
