package org.exsockets.stream;

import java.nio.ByteBuffer;
import org.exsockets.stream.direct.PendingReceives;
import org.exsockets.stream.direct.Receive;
import org.exsockets.stream.link.Link;
import org.exsockets.stream.link.MessageCredits;
import org.exsockets.stream.link.Rules;
import org.exsockets.stream.link.StreamListener;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.jspecify.annotations.Nullable;

/**
 * One end of an EXS stream, both directions, over an established endpoint. {@link Outgoing} sends, {@link Incoming}
 * receives; this class passes completions to them.
 *
 * <p>Bytes go <em>indirectly</em>, through the hidden buffer, a ring in the receiver's exposed memory; or
 * <em>directly</em> into a {@link Receive} that the receiver's program has posted and the receiver has advertised. A
 * transfer is one RDMA_WRITE_WITH_IMM. When message credits have run out, plain RDMA_WRITEs place bytes in the hidden
 * buffer, and one PLACED message announces them together later; so many small writes fill it as they fill TCP's.
 * Messages that could not be sent for lack of credits (CANCELLED, URGENT, PLACED, ACK, CREDIT, FIN) are sent by {@link
 * #flush()}, which any thread may call; the poller sends ADVERT and CANCEL. {@link #owesOutput()}: whether one is due.
 *
 * <p>The hidden buffer starts small, and grows: {@link HiddenBuffers} and {@link PeerBuffers} are the two ends' views.
 *
 * <p>Counters are cumulative over the life of the stream. Each has a single writer, which stores it with release; the
 * other roles load it with acquire. It is stored after the work it stands for, but for sent and acknowledged bytes
 * before the post, as the peer may react at once. Announcements of buffered bytes commute between two switches: a
 * message announces a number of bytes, not a place, and every byte it can make readable was placed before it was
 * posted. A SWITCHED comes behind all announcements of the old buffer and before all of the new one. Only the writer
 * posts direct transfers, in order, while no placed byte is unannounced.
 */
public final class StreamEngine {
    /** Newest and oldest version of this protocol that is spoken. */
    public static final int VERSION = 5;

    /** {@link #tryReceive}: the stream has ended and everything was read. */
    public static final int END_OF_STREAM = -1;

    /** Enough for a writer to notice before they have run out. */
    private static final int FEW_CREDITS = 4;

    private final Link link;
    private final MessageCredits credits;
    final Incoming incoming;
    final Outgoing outgoing;
    private final Flusher flusher;
    private final Arrivals arrivals;

    /** Null: hidden buffers do not grow. */
    private final @Nullable Growth growth;

    /** Takes over an endpoint that nothing was posted to. */
    public StreamEngine(Endpoint endpoint) {
        this(endpoint, new StreamListener() {}, true);
    }

    /**
     * Takes over an endpoint that nothing was posted to.
     *
     * @param useAdverts whether to write to memory that the peer has advertised
     */
    public StreamEngine(Endpoint endpoint, StreamListener listener, boolean useAdverts) {
        this(endpoint, listener, useAdverts, Rules.PROTOCOL);
    }

    StreamEngine(Endpoint endpoint, StreamListener listener, boolean useAdverts, Rules rules) {
        this.link = new Link(endpoint, rules, listener);
        this.credits = link.credits;
        this.incoming = new Incoming(link);
        this.growth = incoming.buffers.growth;
        this.flusher = new Flusher(link, incoming);
        this.outgoing = new Outgoing(link, flusher, useAdverts);
        flusher.serve(outgoing);
        this.arrivals = new Arrivals(link, incoming, outgoing);
    }

    // Writer.

    /**
     * Writer: moves as many bytes of {@code source} as the peer has room for, to advertised memory or to the peer's
     * hidden buffer, and advances the position of {@code source}.
     *
     * @return bytes taken; 0 if there is no room now, or the stream has failed
     */
    public int trySend(ByteBuffer source) {
        return outgoing.trySend(source, null, false);
    }

    /**
     * Writer: as {@link #trySend(ByteBuffer)}, but the device may read the taken bytes after the return. They must not
     * change until {@link QueuePair#unfinishedWrites} has fallen to 0.
     *
     * @param registration covers what remains of {@code source} ({@link DirectAccess#leaseToSend}); null: no later reads
     * @param more further bytes follow at once. If all bytes of this call are taken, they may be held and announced
     *     with those. {@link #announceHeld} must follow before the caller does anything else
     */
    public int trySend(ByteBuffer source, @Nullable ProgramMemory registration, boolean more) {
        return outgoing.trySend(source, registration, more);
    }

    /** Writer: announces what {@link #trySend(ByteBuffer, ProgramMemory, boolean)} has held, if anything. */
    public void announceHeld() {
        outgoing.announceHeld();
    }

    /** {@return whether the known room at the peer is less than both {@code lengthBytes} and one transfer; writer} */
    public boolean mayLackRoom(long lengthBytes) {
        return outgoing.mayLackRoom(lengthBytes);
    }

    /** {@return whether message credits have run out, or are about to, as far as is known; any thread} */
    public boolean hasFewCredits() {
        return credits.fewerThan(FEW_CREDITS);
    }

    /** {@return whether message credits have run out, as far as is known; any thread} */
    public boolean lacksCredits() {
        return !credits.available();
    }

    /** {@return whether bytes are held, so that the next ones go with them to the peer's hidden buffer; writer} */
    public boolean holds() {
        return outgoing.held != 0;
    }

    /**
     * Writer: sends the one byte of {@code source} as urgent data, if the peer has room for it.
     *
     * @return bytes taken; 0 if there is no room now, or the stream has failed
     */
    public int trySendUrgent(ByteBuffer source) {
        return outgoing.trySendUrgent(source);
    }

    /** {@return whether the peer has not been told yet which byte is urgent; any thread} */
    public boolean owesUrgent() {
        return outgoing.owesUrgent();
    }

    /**
     * Writer: if there is no room, makes the next {@link #trySend} switch to a reserve, if there is one. May take a
     * millisecond. {@return whether it will switch; then sending is to be tried again}
     */
    public boolean takeReserve() {
        return outgoing.buffers.takeReserve(outgoing.placed);
    }

    /** {@return whether there is room by now for a writer that found none, as the peer reads slowly; any thread} */
    public boolean hasSlowReader() {
        return outgoing.buffers.hasSlowReader(outgoing.placed);
    }

    /**
     * Any thread: the program has chosen how much is to be sent ahead (SO_SNDBUF), more than 0. Twice as much of reserves
     * not taken yet is used, as the kernel doubles it, but at least the initial length of the hidden buffer.
     */
    public void limitAhead(int chosenBytes) {
        outgoing.buffers.limitAhead(chosenBytes);
    }

    /** {@return bytes that {@link #trySend} has written straight into memory of the peer's program; writer} */
    public long directlySentBytes() {
        return outgoing.direct;
    }

    /** {@return whether the peer has advertised memory, as far as is known; any thread} */
    public boolean hasAdverts() {
        return outgoing.adverts != null && outgoing.adverts.isWaiting();
    }

    /** Writer: sets whether bytes go to advertised memory, or always to the peer's hidden buffer. */
    public void useAdverts(boolean use) {
        outgoing.goesStraight = use;
    }

    /** {@return ADVERTs that have arrived so far, also those that came too late; wraps; any thread} */
    public int advertsSeen() {
        return outgoing.adverts == null ? 0 : outgoing.adverts.seen();
    }

    /** {@return bytes in the peer's hidden buffer that it may not have read yet; any thread, roughly right} */
    public long unacknowledgedBytes() {
        return outgoing.buffers.unacknowledgedBytes(outgoing.placed);
    }

    /** Writer: no bytes follow; the peer gets a FIN behind the last byte as soon as a credit allows. Idempotent. */
    public void finish() {
        outgoing.finish();
        flush();
    }

    // Reader.

    /**
     * Reader: copies what has arrived into {@code target}, up to its limit, and advances its position. Not while a
     * {@link Receive} is pending.
     *
     * @return bytes copied; 0 if there is nothing now or no space; {@link #END_OF_STREAM}
     */
    public int tryReceive(ByteBuffer target) {
        int position = target.position();
        int n = incoming.tryReceive(target, position, target.limit() - position);
        if (n > 0) {
            target.position(position + n);
        }
        if (incoming.acknowledgeDue()) {
            flusher.flush();
        }
        return n;
    }

    /**
     * Reader: copies what has arrived into the receive of {@link #takeWaiting}. {@link #filled} must follow.
     *
     * @return bytes copied
     */
    public int fill(Receive receive) {
        int at = receive.offset() + receive.received();
        int n = incoming.tryReceive(receive.memory(), at, receive.wanted());
        if (incoming.acknowledgeDue()) {
            flusher.flush();
        }
        return Math.max(0, n);
    }

    /** {@return whether a read that has got bytes must end here, just before an urgent one; reader} */
    public boolean atUrgent() {
        return incoming.urgent.isAt(incoming.copied);
    }

    // Receives of the program.

    /**
     * Poller: adds a receive behind those that are pending, and advertises it if it can be. It may be done at once
     * ({@link Receive#isDone}). Its bytes in the hidden buffer are copied by calls of {@link #takeWaiting}, {@link
     * #fill} and {@link #filled} in turn.
     */
    public void post(Receive receive) {
        incoming.receives().add(receive);
        incoming.advance();
    }

    /**
     * Poller: cancels the receive, if it has not ended. It ends at once if the peer cannot be writing to it, or if the
     * device has windows and the peer is not writing. Otherwise it ends when the peer has answered, or by {@link
     * #fence}. Handles completions, as {@link #progress} does.
     */
    public void cancel(Receive receive) {
        incoming.receives().cancel(receive);
        endClosed(incoming.receives().closeWindows());
        incoming.advance();
    }

    /**
     * Poller: ends a cancelled receive for which the peer's answer is late. Its memory is detached, and the stream goes
     * on. The memory of advertised receives behind it is detached as well; these stay pending.
     *
     * @return false if this is impossible: then the connection must be reset, and {@link #abandon} ends the receive
     */
    public boolean fence(Receive receive) {
        endClosed(incoming.receives().closeWindowsFrom(receive));
        boolean fenced = incoming.receives().fence(receive);
        incoming.advance();
        return fenced;
    }

    /**
     * Poller: the connection is lost: every receive ends, behind a fence if the peer might still be writing. Later
     * receives end when they are posted.
     */
    public void abandon() {
        incoming.receives().abandon();
    }

    /**
     * Poller: {@return whether the peer may be writing to a receive now} Closes all windows: for a lost connection,
     * before {@link #abandon}, which costs less if it is not.
     */
    public boolean mayBeWrittenTo() {
        PendingReceives direct = incoming.receives;
        return direct != null && direct.mayBeWrittenTo();
    }

    /** Poller: {@return the first receive, for {@link #fill}, if bytes are there to be copied to it; otherwise null} */
    public @Nullable Receive takeWaiting() {
        Receive first = incoming.receives().firstWaiting();
        if (first == null || !incoming.hasUnread()) {
            return null;
        }
        first.filling = true;
        return first;
    }

    /** Poller: {@link #fill} has copied {@code bytes}. */
    public void filled(Receive receive, int bytes) {
        incoming.receives().filled(receive, bytes);
        incoming.advance();
    }

    // Poller.

    /**
     * Poller: handles every completion that is there when this is called.
     *
     * @return whether there was any
     */
    public boolean progress() {
        boolean any = arrivals.handleAll();
        PendingReceives direct = incoming.receives;
        any |= direct != null && endClosed(direct.closeWindows());
        incoming.advance();
        if (any) {
            flusher.flush();
        }
        if (growth != null) {
            if (incoming.isFull() && outgoing.lacksRoom() && !outgoing.finRequested) {
                growth.onStuck(incoming.buffers.arriving, incoming.copied);
            }
            tryGrow(growth);
        }
        return any;
    }

    /** Handles what has arrived, and ends receives with closed windows. {@return whether anything had arrived} */
    private boolean endClosed(boolean closed) {
        if (!closed) {
            return false;
        }
        boolean any = link.rules.handlesArrivalsBehindClosing() && arrivals.handleAll();
        if (link.failure() == null) {
            incoming.receives().endClosed();
        }
        return any;
    }

    /** Allocates a longer hidden buffer if one is due. Its announcement is output that the stream owes. */
    private void tryGrow(Growth growth) {
        if (growth.wantedLength != 0 && link.failure() == null) {
            growth.prepare(incoming.buffers.arriving, incoming.copied, incoming.finArrived);
            flusher.flush();
        }
    }

    /** Any thread: the hidden buffer must not grow beyond {@code chosenBytes}, &gt; 0; a longer one stays. */
    public void limitBuffer(int chosenBytes) {
        if (growth != null) {
            growth.limit(chosenBytes);
        }
    }

    /**
     * Poller: what has come is handled, and no call of the program works on the stream. If the hidden buffer is full, it
     * grows: over TCP a peer can be some megabytes ahead of a program that does not read.
     */
    public void growIfFull() {
        if (growth != null && incoming.isFull()) {
            growth.onStuck(incoming.buffers.arriving, incoming.copied);
            tryGrow(growth);
        }
    }

    /** Any thread: the connection is ending, so no more room is made if both ends lack it. */
    public void onEnding() {
        if (growth != null) {
            growth.ending = true;
        }
    }

    /** Poller: makes the hidden buffer grow to {@code lengthBytes}, whatever the policy says, unless it is growing. */
    void grow(int lengthBytes) {
        if (growth != null) {
            growth.want(incoming.buffers.arriving, lengthBytes);
            tryGrow(growth);
        }
    }

    /**
     * {@return the word to disconnect with: how far this end has written and has heard of the peer} Any thread that has
     * seen the poller's work on the bytes heard of.
     */
    public long lastWord() {
        return LastWordDescriptor.encode(writtenBytes(), incoming.heardBytes());
    }

    /**
     * Poller: the peer has disconnected in order, with {@code lastWord}. Bytes that it could not announce for lack of
     * credits are in the hidden buffer, too, and nothing follows.
     */
    public void onPeerClosed(long lastWord) {
        if (link.failure() == null && !incoming.finArrived) {
            incoming.onPeerClosed(LastWordDescriptor.written(lastWord, incoming.heardBytes()));
        }
    }

    /** {@return whether this end has written bytes that the peer, by its {@code lastWord}, has not heard of} */
    public boolean isMissed(long lastWord) {
        return LastWordDescriptor.isMissed(lastWord, writtenBytes());
    }

    // Flush.

    /** {@return whether a message is due that has not been sent yet; any thread} */
    public boolean owesOutput() {
        if (flusher.isDue()) {
            return true;
        }
        PendingReceives direct = incoming.receives;
        return direct != null && direct.owesOutput();
    }

    /**
     * Sends what is due as far as message credits allow. Any thread; while another thread flushes, the work is left to
     * that one.
     */
    public void flush() {
        flusher.flush();
    }

    /**
     * Writer: lets empty memory of the hidden buffers of both ends go: of the peer's as far as this end may write
     * there, of this end's as far as the peer may not. What is written there next takes new pages.
     */
    public void trim(MoreRoom.Shared shared) {
        outgoing.buffers.trim(shared, outgoing.placed);
        if (flusher.tryEnter()) { // Meanwhile the peer is not told that it may write there.
            try {
                incoming.trim(shared);
            } finally {
                flusher.leave();
            }
        }
    }

    // Any thread.

    /** {@return bytes that have gone through hidden buffers, both ways} */
    public long bufferedBytes() {
        return outgoing.placed + incoming.copied;
    }

    /** {@return bytes this end has written; final once the writer has called {@link #finish}} */
    public long writtenBytes() {
        return outgoing.writtenBytes();
    }

    /** {@return bytes that {@link #tryReceive} would find, not counting completions not yet handled; any thread} */
    public long readableBytes() {
        return incoming.readableBytes();
    }

    /** {@return what FIONREAD reports over TCP: {@link #readableBytes} before an urgent byte; any thread} */
    public long availableBytes() {
        return incoming.availableBytes();
    }

    /** {@return whether anything has arrived that the program has not read, urgent bytes included; any thread} */
    public boolean hasUnread() {
        return incoming.hasUnread();
    }

    /** {@return whether urgent data has been announced that may not have been read yet; any thread} */
    public boolean hasMark() {
        return incoming.urgent.isMarked();
    }

    /** Sets whether urgent bytes stay in the stream, or reads skip them (SO_OOBINLINE). Any thread. */
    public void setUrgentInline(boolean inline) {
        incoming.urgent.setInline(inline);
    }

    /** {@return bytes that {@link #trySend} would take; any thread} */
    public long writableBytes() {
        return outgoing.writableBytes();
    }

    /** {@return whether the peer's FIN has been handled; bytes before it may still be unread; any thread} */
    public boolean finArrived() {
        return incoming.finArrived;
    }

    /** {@return whether the writer has called {@link #finish}; any thread} */
    public boolean finished() {
        return outgoing.finRequested;
    }

    /** {@return whether this end's FIN has been sent; any thread} */
    public boolean finSent() {
        return outgoing.finSent;
    }

    /** {@return why the stream cannot go on, or null; any thread} */
    public @Nullable String failure() {
        return link.failure();
    }
}
