package org.exsockets.stream.direct;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import org.exsockets.stream.direct.Receive.Ending;
import org.exsockets.stream.direct.Receive.State;
import org.exsockets.stream.link.Link;
import org.exsockets.stream.link.Phase;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.DirectAccess.MemoryWindows;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.wire.MessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The receiver's half of direct transfers: its phase, the receives of the program in their order, and the ADVERTs and
 * CANCELs that are to be sent for them.
 *
 * <p>Belongs to the poller, which also handles arrivals. So nothing arrives between the check of what has arrived and
 * the ADVERT. An ADVERT is only made once there is a message credit for it, so it is still true when it is sent.
 */
public final class PendingReceives {
    private final Link link;
    private final Spill spill = new Spill();
    private final AdvertIds ids;

    /** Null: nothing is advertised. */
    private final @Nullable DirectAccess direct;

    private final @Nullable MemoryWindows windows;
    private final ByteBuffer message = MessageDescriptor.allocate(1);

    private final ReceiveList pending = new ReceiveList();

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
    public PendingReceives(Link link, boolean first) {
        this.link = link;
        this.phase = first ? Phase.FIRST : Phase.FIRST + 1;
        this.direct = link.endpoint.direct();
        this.windows = direct == null ? null : direct.windows();
        this.ids = new AdvertIds(link.rules, windows == null ? 0 : windows.count());
        if (windows != null && windows.count() < link.rules.advertLimit()) {
            throw new IllegalArgumentException("stream: fewer windows than ADVERTs: windows=" + windows.count());
        }
    }

    /** {@return receives and places that are pending} */
    public int size() {
        return pending.size();
    }

    /** {@return the bytes that the peer has written to detached memory} */
    public Spill spill() {
        return spill;
    }

    /** {@return whether a message waits for a credit; any thread} */
    public boolean owesOutput() {
        return owing;
    }

    private boolean isDirect() {
        return Phase.isDirect(phase);
    }

    /** @see ReceiveList#firstWaiting */
    @Nullable
    public Receive firstWaiting() {
        return pending.firstWaiting();
    }

    /** Adds a receive behind the others. */
    public void add(Receive receive) {
        receive.cancelWanted = false;
        receive.filling = false;
        if (abandoned) {
            receive.end(Ending.RESET);
            return;
        }
        receive.state(State.WAITING);
        pending.add(receive);
    }

    private void remove(int index) {
        pending.remove(index);
        if (pending.size() == 0) {
            owing = false;
        }
    }

    private void end(int index, Ending how) {
        Receive receive = pending.get(index);
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
    public void advance(long received, long unread, boolean finArrived) {
        owing = false;
        if (cancelsDue > 0 && !sendCancels()) {
            owing = true;
            return;
        }
        if (finArrived && unread == 0) {
            endAll(Ending.END_OF_STREAM);
        } else if (link.rules.mayAdvertise(unread, finArrived)) {
            advertise(received);
        }
    }

    private void advertise(long received) {
        long outstanding = 0;
        for (int i = 0; i < pending.size(); i++) {
            Receive receive = pending.get(i);
            if (!receive.isAdvertised()
                    && (receive.filling
                            || overtaken && live > 0
                            || live + ids.unanswered() >= link.rules.advertLimit()
                            || !advertise(receive, link.rules.advertisedPosition(received, outstanding)))) {
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
        receive.id = ids.take(pending);
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
                windows != null ? windows.open(ids.window(receive.id), address) : address,
                registration.rkey(),
                length,
                receive.waitsForAll());
        return link.send(message, false);
    }

    private boolean sendCancels() {
        for (int i = 0; i < pending.size(); i++) {
            Receive receive = pending.get(i);
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
            if (!link.send(message, true)) {
                return true; // The connection is lost, and no answer comes: abandon() ends the receive.
            }
            if (!link.rules.awaitsCancelled()) {
                end(i--, Ending.CANCELLED);
            }
        }
        return true;
    }

    // Cancelling.

    /** Ends the receive: now, or when it is no longer advertised or being filled. */
    public void cancel(Receive receive) {
        int index = pending.indexOf(receive);
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
                closingDue = windows != null;
            }
            default -> {}
        }
    }

    /** The peer has answered a CANCEL. {@return false if none was sent} */
    public boolean onCancelled(int id) {
        if (!ids.onAnswer(id)) {
            return false;
        }
        int cancelled = pending.indexOfLive(id, -1);
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
    public String onDirect(int id, int bytes, long unread) {
        Receive first = pending.firstAdvertised();
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
        } else if (cancelling && (first.advertisedLength == 0 || link.rules.endsCancelled(over))) {
            end(0, Ending.CANCELLED);
        } else if (first.advertisedLength == 0) {
            kill(first); // Only a part of it could be advertised, and that part is full.
        }
        return null;
    }

    /** Bytes have come to the hidden buffer. */
    public void onIndirect() {
        if (!isDirect()) {
            return;
        }
        overtaken = live > 0;
        phase++;
        link.listener.onReceivingPhase();
        killAll();
    }

    /** No ADVERT is live any more: receives that are being cancelled end, the others wait again. */
    public void killAll() {
        for (int i = 0; i < pending.size(); i++) {
            if (pending.get(i).state() == State.CANCELLING) {
                end(i--, Ending.CANCELLED);
            } else {
                kill(pending.get(i));
            }
        }
    }

    /** The reader has copied {@code bytes} into a receive that {@link #firstWaiting} gave. */
    public void filled(Receive receive, int bytes) {
        receive.filling = false;
        receive.add(bytes, false);
        if (abandoned) {
            endAll(Ending.RESET);
            return;
        }
        boolean over = bytes > 0 && !receive.waitsForAll() || receive.wanted() == 0;
        if (over) {
            end(pending.indexOf(receive), Ending.RECEIVED);
        } else if (receive.cancelWanted) {
            end(pending.indexOf(receive), Ending.CANCELLED);
        }
    }

    private void endAll(Ending how) {
        while (pending.size() > 0) {
            if (pending.get(0).filling) {
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
    public boolean closeWindows() {
        if (!closingDue) {
            return false;
        }
        closingDue = false;
        boolean any = false;
        for (int i = 0; i < pending.size(); i++) {
            Receive receive = pending.get(i);
            if (receive.state() == State.CANCELLING && !receive.isPlace()) {
                any |= close(receive);
                closingDue |= !receive.closed;
            }
        }
        return any;
    }

    /** As {@link #closeWindows}, for {@code receive} and the advertised receives behind it. */
    public boolean closeWindowsFrom(Receive receive) {
        boolean any = false;
        for (int i = pending.indexOf(receive); windows != null && i >= 0 && i < pending.size(); i++) {
            any |= pending.get(i).isAdvertised() && !pending.get(i).isPlace() && close(pending.get(i));
        }
        return any;
    }

    private boolean close(Receive receive) {
        receive.closed = windows != null && windows.close(ids.window(receive.id));
        return receive.closed;
    }

    /**
     * Ends cancelled receives with closed windows, without an answer; others wait again. What the peer has written
     * through these windows has arrived, and nothing more comes through them.
     */
    public void endClosed() {
        for (int i = pending.size() - 1; i >= 0; i--) {
            if (pending.get(i).closed && pending.get(i).isAdvertised()) {
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
    public boolean fence(Receive receive) {
        int index = pending.indexOf(receive);
        if (index < 0) {
            return true;
        }
        if (!receive.isAdvertised()) {
            cancel(receive);
            return true;
        }
        // From the back, to keep the order: live ADVERTs come first, and last among them the places that keep bytes.
        for (int i = link.rules.fencesThoseBehind() ? pending.size() - 1 : index; i >= index; i--) {
            Receive next = pending.get(i);
            if (next.isAdvertised() && !next.isPlace()) {
                ByteBuffer kept =
                        requireNonNull(direct).detach(next.memory(), next.advertisedFrom, next.advertisedLength);
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
        Receive receive = pending.get(index);
        boolean cancelled = over || receive.state() == State.CANCELLING;
        if (receive.state() == State.ADVERTISED) {
            cancel(receive);
        }
        pending.set(index, new Place(receive, kept));
        if (cancelled) {
            receive.end(Ending.CANCELLED);
            return;
        }
        int behind = index + 1;
        while (behind < pending.size() && pending.get(behind).isPlace()) {
            behind++;
        }
        receive.state(State.WAITING);
        pending.add(behind, receive);
    }

    /** {@return whether the peer is seen to write to memory of the program now} Closes all windows. */
    public boolean mayBeWrittenTo() {
        boolean any = false;
        for (int i = 0; windows != null && i < pending.size(); i++) {
            any |= pending.get(i).isAdvertised() && !pending.get(i).isPlace() && !close(pending.get(i));
        }
        return any;
    }

    /**
     * The connection is lost: every receive ends. Memory that the peer may still write to is taken away first, because
     * threads of the peer may be writing after its reset has arrived.
     */
    public void abandon() {
        for (int i = 0; i < pending.size(); i++) {
            Receive receive = pending.get(i);
            if (link.rules.fences() && receive.isAdvertised() && !receive.isPlace() && !close(receive)) {
                requireNonNull(direct).takeAway(receive.memory(), receive.advertisedFrom, receive.advertisedLength);
            }
        }
        owing = false;
        abandoned = true;
        endAll(Ending.RESET);
    }
}
