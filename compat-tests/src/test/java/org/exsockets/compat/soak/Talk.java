package org.exsockets.compat.soak;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.compat.harness.Pattern;

/**
 * One end of a connection of the soak, whatever carries it: what it may send, and whether what it receives is right, byte by
 * byte. The client begins with a header, by which the server knows the plan. Both bytes and turns are checked: who receives
 * more than its peer was to send fails, and so does who finds the end too early.
 *
 * <p>One thread receives, one sends; all methods hold the monitor, which the sender may wait on ({@link #awaitTurn}).
 */
final class Talk {
    static final int HEADER_BYTES = 16;

    /** Of an accepted connection whose header is not there. */
    static final long UNKNOWN = -1;

    private final Ledger ledger;
    private final boolean client;

    /** For messages and the ledger: the process that is connected to, or how it was accepted. */
    private final String where;

    private final long startNs = System.nanoTime();
    private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    private long id = UNKNOWN;
    private Plan plan;

    /** Without the header, as received. */
    private long sent;

    /** What was sent, or is about to be: the peer may know of it before the call has returned. */
    private long offered;

    private boolean ending;
    private long received;
    private boolean peerEnded;
    private boolean ended;
    private boolean noted;

    /** When a byte moved last; also looked at by who watches. */
    private volatile long movedNs = startNs;

    private Talk(Ledger ledger, boolean client, String where) {
        this.ledger = ledger;
        this.client = client;
        this.where = where;
        Talks.begun(this);
    }

    /** Begins a client's end; what it sends first is the header. */
    static Talk connecting(Ledger ledger, long id, String where) {
        Talk talk = new Talk(ledger, true, where);
        talk.id = id;
        talk.plan = planOf(ledger, id);
        talk.header.putLong(id).putLong(check(ledger, id)).flip();
        return talk;
    }

    /** Begins a server's end. */
    static Talk accepted(Ledger ledger, String where) {
        return new Talk(ledger, false, where);
    }

    private static Plan planOf(Ledger ledger, long id) {
        long seed = check(ledger, id) * 31;
        return Ids.isBrief(id) ? Plan.brief(seed) : Plan.of(seed);
    }

    private static long check(Ledger ledger, long id) {
        long mixed = (ledger.seed() ^ id) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
        return mixed ^ mixed >>> 29;
    }

    /** Where in the endless sequence of bytes those begin that one end sends. */
    private long first(boolean ofClient) {
        return check(ledger, ofClient ? id : ~id) >>> 18;
    }

    synchronized long id() {
        return id;
    }

    /** {@return null until the header is there} */
    synchronized Plan plan() {
        return plan;
    }

    /** Puts what may be sent now into the rest of a buffer; returns whether there is something. */
    synchronized boolean fill(ByteBuffer buffer) {
        if (client && header.hasRemaining()) {
            buffer.put(header.duplicate());
        }
        long may = allowed() - sent;
        if (may > 0 && buffer.hasRemaining()) {
            int length = (int) Math.min(may, buffer.remaining());
            ByteBuffer piece = buffer.duplicate().limit(buffer.position() + length);
            Pattern.put(first(client) + sent, piece);
            buffer.position(buffer.position() + length);
            offered = sent + length;
        }
        buffer.flip();
        return buffer.hasRemaining();
    }

    private long allowed() {
        if (plan == null) {
            return 0;
        }
        if (client) {
            return plan.clientMaySend(received);
        }
        return peerEnded ? serverAll() : plan.serverMaySend(received);
    }

    private long serverAll() {
        return plan.serverTotal() + plan.tailBytes();
    }

    /** So many bytes of what {@link #fill} gave were sent. */
    synchronized void onSent(int lengthBytes) {
        int ofHeader = client ? Math.min(lengthBytes, header.remaining()) : 0;
        header.position(header.position() + ofHeader);
        sent += lengthBytes - ofHeader;
        movedNs = System.nanoTime();
    }

    synchronized boolean maySend() {
        return client && header.hasRemaining() || allowed() > sent;
    }

    /** Tells whether it is time to end the own half, which was not done yet. */
    synchronized boolean mayEnd() {
        if (ended || plan == null || maySend()) {
            return false;
        }
        ending = client
                ? sent == plan.clientTotal() && (plan.early() || received >= plan.serverTotal())
                : sent == serverAll();
        return ending;
    }

    synchronized void onEnded() {
        ended = true;
        movedNs = System.nanoTime();
        notifyAll();
    }

    /** Checks the rest of a buffer, which is consumed. */
    synchronized void onReceived(ByteBuffer buffer) throws IOException {
        movedNs = System.nanoTime();
        if (!client && plan == null) {
            onHeader(buffer);
        }
        long most = plan == null ? 0 : client ? serverMost() : plan.clientTotal();
        if (received + buffer.remaining() > most) {
            throw new WrongBytes(this + ": more bytes than the peer was to send: " + buffer.remaining());
        }
        long begin = first(!client) + received;
        long wrong = Pattern.firstWrong(begin, buffer);
        if (wrong >= 0) {
            int at = (int) (wrong - begin);
            throw new WrongBytes(this + ": wrong byte: position=" + (received + at) + ", at=" + at + " of "
                    + buffer.remaining() + ", expected=" + Pattern.at(wrong) + ", actual="
                    + buffer.get(buffer.position() + at));
        }
        received += buffer.remaining();
        buffer.position(buffer.limit());
        notifyAll();
    }

    /** What the server may have sent by now: it answers what it has, and the tail answers the end. */
    private long serverMost() {
        return ending ? serverAll() : plan.serverMaySend(offered);
    }

    private void onHeader(ByteBuffer buffer) throws IOException {
        while (header.hasRemaining() && buffer.hasRemaining()) {
            header.put(buffer.get());
        }
        if (header.hasRemaining()) {
            return;
        }
        long said = header.getLong(0);
        if (header.getLong(8) != check(ledger, said)) {
            throw new WrongBytes(this + ": wrong header: " + said + " " + header.getLong(8));
        }
        id = said;
        plan = planOf(ledger, id);
    }

    /** The peer's half is over. A server that has everything says so in the ledger, before the client can learn of it. */
    synchronized void onPeerEnded() throws IOException {
        long all = plan == null ? 0 : client ? serverAll() : plan.clientTotal();
        if (plan == null || received < all) {
            throw new EOFException("the end, too early");
        }
        peerEnded = true;
        movedNs = System.nanoTime();
        if (!client) {
            ledger.note(Ledger.Event.VERIFIED, id, startNs, received, where, "");
        }
        notifyAll();
    }

    /** The own half is over. */
    synchronized boolean isEnded() {
        return ended;
    }

    synchronized boolean isPeerEnded() {
        return peerEnded;
    }

    /** Both halves are over. */
    synchronized boolean isOver() {
        return peerEnded && ended;
    }

    /** Waits until the own half may go on, or everything is over. */
    synchronized void awaitTurn() throws InterruptedException {
        while (!maySend() && !mayEnd() && !noted) {
            wait();
        }
    }

    /** It is over, and everything was right. */
    synchronized void succeed() {
        note(client ? Ledger.Event.DONE : Ledger.Event.SERVED, "");
    }

    /** It has failed; what is told first counts. */
    synchronized void fail(Throwable failure) {
        boolean wrong = !(failure instanceof IOException);
        note(wrong ? Ledger.Event.WRONG : Ledger.Event.FAILED, Ledger.text(failure));
    }

    private void note(Ledger.Event event, String text) {
        if (!noted) {
            noted = true;
            Talks.over(this, event);
            ledger.note(event, id, startNs, received, where, text);
        }
        notifyAll();
    }

    synchronized boolean isNoted() {
        return noted;
    }

    /** Waits for the end, in whichever way; an interrupt does not count. */
    synchronized void awaitNoted() {
        boolean interrupted = false;
        while (!noted) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** For how long nothing has moved. */
    long idleMs() {
        return (System.nanoTime() - movedNs) / 1_000_000;
    }

    @Override
    public synchronized String toString() {
        return (client ? "client" : "server") + " " + Ids.text(id) + " " + where + ", sent=" + sent + ", received="
                + received + ", ended=" + ended + ", peerEnded=" + peerEnded + ", " + plan;
    }

    /** What was received is not what was sent. */
    static final class WrongBytes extends RuntimeException {
        private static final long serialVersionUID = 1L;

        WrongBytes(String message) {
            super(message);
        }
    }
}
