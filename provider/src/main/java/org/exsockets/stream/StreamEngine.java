package org.exsockets.stream;

import java.nio.ByteBuffer;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;

/**
 * One end of an EXS stream, both directions, over an established endpoint. What is sent is {@link Outgoing}'s, what is
 * received {@link Incoming}'s; this class hands completions to them.
 *
 * <p>Bytes go <em>indirectly</em>, through the hidden buffer, a ring in the receiver's exposed memory; or <em>directly</em>
 * into a {@link Receive} that the receiver's program has posted and the receiver has advertised. A transfer is one
 * RDMA_WRITE_WITH_IMM; when message credits have run out, bytes are placed in the hidden buffer by plain RDMA_WRITEs and
 * announced together by one PLACED message later, so that many small writes fill it as they fill TCP's. What is due but
 * could not be sent for lack of credits (CANCELLED, URGENT, PLACED, ACK, CREDIT, FIN) is sent by {@link #flush()}, which
 * any thread may call; ADVERT and CANCEL are sent by the poller. {@link #owesOutput()} tells whether something waits.
 *
 * <p>The hidden buffer starts small. Where the device has a reserve, the writer that finds no room goes over to that, once,
 * between two transfers (SWITCHED). Over other devices, when {@link GrowthPolicy} finds demand, the receiver exposes a longer
 * one and announces it (NEWBUF), and the writer goes over to it in the same way. The reader empties the old one
 * first and then gives it back. {@link HiddenBuffer} and {@link PeerBuffer} are the two ends' views of one generation.
 *
 * <p>Counters are cumulative over the life of the stream and never decrease, so each has a single writer. Each is stored
 * with release after the work it stands for and loaded with acquire by the other roles. Announcements of buffered bytes
 * commute between two switches: a message announces a number of bytes, not a place, and every byte it can make readable
 * was placed before it was posted. A SWITCHED comes behind all announcements of the old buffer and before all of the new
 * one. Direct transfers are posted by the writer alone, in their order, while nothing placed is unannounced.
 */
public final class StreamEngine {
    /** Newest and oldest version of this protocol that is spoken. */
    public static final int VERSION = 5;

    /** {@link #tryReceive}: the peer has finished and everything was read. */
    public static final int END_OF_STREAM = -1;

    private final Link link;
    private final MessageCredits credits;
    private final CompletionQueue completions;
    private final Incoming incoming;
    private final Outgoing outgoing;
    private final Flusher flusher;

    /** Set by any thread; a poller that sees it late makes room that nobody needs. */
    private volatile boolean ending;

    /** Receives of each end: so many messages the peer can have sent at any time that have not been handled. */
    private final int depth;

    // Poller.
    private final WorkCompletion completion = new WorkCompletion();

    /** Where messages of the peer arrive: a place for each receive, or one for all. */
    private final ByteBuffer receives;

    /** Takes over an endpoint nobody has posted to yet. */
    public StreamEngine(Endpoint endpoint) {
        this(endpoint, StreamListener.NONE, true);
    }

    /**
     * Takes over an endpoint nobody has posted to yet.
     *
     * @param useAdverts whether to write to memory that the peer has advertised
     */
    public StreamEngine(Endpoint endpoint, StreamListener listener, boolean useAdverts) {
        this(endpoint, listener, useAdverts, Rules.PROTOCOL);
    }

    StreamEngine(Endpoint endpoint, StreamListener listener, boolean useAdverts, Rules rules) {
        this.link = new Link(endpoint, rules, listener);
        this.credits = link.credits;
        this.depth = endpoint.receiveDepth();
        this.completions = link.queuePair.completionQueue();
        this.incoming = new Incoming(link);
        this.flusher = new Flusher(link, incoming);
        this.outgoing = new Outgoing(link, flusher, useAdverts);
        flusher.serve(outgoing);
        int places = link.queuePair.placesWhenPolled() ? 1 : endpoint.receiveDepth();
        this.receives = MessageDescriptor.allocate(places);
        link.postReceives(receives, places);
    }

    private void postReceive(int index) {
        if (!link.queuePair.postReceive(index, receives, index * MessageDescriptor.LENGTH, MessageDescriptor.LENGTH)) {
            throw new IllegalStateException("stream: receive queue full: index=" + index);
        }
    }

    // Writer.

    /**
     * Writer: moves as many bytes of {@code source} as the peer has room for, to memory that it has advertised or to its
     * hidden buffer, and advances its position.
     *
     * @return bytes taken; 0 if there is no room now, or the stream has failed
     */
    public int trySend(ByteBuffer source) {
        return outgoing.trySend(source, null, false);
    }

    /**
     * Writer: as {@link #trySend(ByteBuffer)}, but the device may read the bytes taken later, too: they stay unchanged
     * until {@link QueuePair#unfinishedWrites} has fallen to 0.
     *
     * @param registration covers all of {@code source} that remains ({@link Endpoint#sendable}); null: the device may not
     * @param more the caller goes on at once with further bytes: these may be held, to be announced with those, unless not
     *     all of them were taken. {@link #announceHeld} follows before the caller does anything else
     */
    public int trySend(ByteBuffer source, ProgramMemory registration, boolean more) {
        return outgoing.trySend(source, registration, more);
    }

    /** Writer: announces what {@link #trySend(ByteBuffer, ProgramMemory, boolean)} has held. Does nothing if there is nothing. */
    public void announceHeld() {
        outgoing.announceHeld();
    }

    /** {@return whether so many bytes, or as many as a transfer may have, lack room at the peer, as far as is known; writer} */
    public boolean mayLackRoom(long lengthBytes) {
        return outgoing.mayLackRoom(lengthBytes);
    }

    /** {@return whether message credits have run out, or are about to, as far as is known; any thread} */
    public boolean hasFewCredits() {
        return outgoing.hasFewCredits();
    }

    /** {@return whether bytes are held, so that the next ones go with them to the peer's hidden buffer; writer} */
    public boolean holds() {
        return outgoing.holds();
    }

    /**
     * Writer: sends the one byte of {@code source} as urgent data, if the peer has room for it.
     *
     * @return bytes taken; 0 if there is no room now, or the stream has failed
     */
    public int trySendUrgent(ByteBuffer source) {
        return outgoing.trySendUrgent(source);
    }

    /** {@return whether the peer does not know yet which byte is urgent; any thread} */
    public boolean owesUrgent() {
        return outgoing.owesUrgent();
    }

    /**
     * Writer: where there is no room, has the next {@link #trySend} go over to the reserve, if the device has one: memory for what is
     * written ahead of a reader that does not read. May take a millisecond, once.
     *
     * @return whether it will, so that sending is to be tried again
     */
    public boolean takeReserve() {
        return outgoing.takeReserve();
    }

    /**
     * Any thread: the program has chosen how much is to be sent ahead (SO_SNDBUF). Of a reserve that has not been taken yet
     * twice as much is used, as the kernel doubles it, but at least as much as the hidden buffer has from the start.
     *
     * @param chosenBytes &gt; 0
     */
    public void limitAhead(int chosenBytes) {
        outgoing.limitAhead(chosenBytes);
    }

    /** {@return bytes that {@link #trySend} has written straight into memory of the peer's program; writer} */
    public long directlySentBytes() {
        return outgoing.directBytes();
    }

    /** {@return whether the peer has advertised memory, as far as is known; any thread} */
    public boolean hasAdverts() {
        return outgoing.hasAdverts();
    }

    /** Writer: whether bytes go to memory that the peer has advertised, or to its hidden buffer all the same. */
    public void useAdverts(boolean use) {
        outgoing.useAdverts(use);
    }

    /** {@return ADVERTs that have arrived so far, also those that came too late; wraps; any thread} */
    public int advertsSeen() {
        return outgoing.advertsSeen();
    }

    /** {@return bytes in the peer's hidden buffer that it may not have read yet; any thread, roughly right} */
    public long unacknowledgedBytes() {
        return outgoing.unacknowledgedBytes();
    }

    /** Writer: nothing follows; the peer gets a FIN behind the last byte as soon as a credit allows. Idempotent. */
    public void finish() {
        outgoing.finish();
        flush();
    }

    // Reader.

    /**
     * Reader: copies what has arrived into {@code target}, up to its limit, and advances its position. Not while a {@link
     * Receive} is pending.
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
     * Reader: copies what has arrived into a receive that {@link #takeWaiting} has given. {@link #filled} follows.
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
        return incoming.atUrgent();
    }

    // Receives of the program.

    /**
     * Poller: adds a receive behind those that are pending, and advertises it if it can be. It is done when {@link
     * Receive#isDone} says so, at once perhaps. Bytes for it that come to the hidden buffer are copied by who calls {@link
     * #takeWaiting}, {@link #fill} and {@link #filled} in turn.
     */
    public void post(Receive receive) {
        incoming.receives().add(receive);
        incoming.advance();
    }

    /**
     * Poller: has the receive end soon, if it has not ended. It is done when {@link Receive#isDone} says so: at once if the
     * peer cannot be writing to it, or the device has windows and the peer is not writing; otherwise as soon as the peer has
     * answered, or behind {@link #fence}. Handles completions, as {@link #progress} does.
     */
    public void cancel(Receive receive) {
        incoming.receives().cancel(receive);
        endClosed(incoming.receives().closeWindows());
        incoming.advance();
    }

    /**
     * Poller: ends a receive that was cancelled and whose peer has not answered in time: its memory is taken away from the
     * peer, the stream goes on. That of receives behind it is taken away as well, if it is advertised; they stay pending.
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
     * Poller: the connection is lost, by whatever side: every receive ends, behind a fence where the peer might still be
     * writing. Later ones end when they are posted.
     */
    public void abandon() {
        incoming.receives().abandon();
    }

    /**
     * Poller: {@return whether the peer may be writing to a receive just now} Nothing is advertised any more then: for a
     * connection that is lost, where {@link #abandon} follows, and costs less if the peer is not.
     */
    public boolean mayBeWrittenTo() {
        PendingReceives direct = incoming.receivesSoFar();
        return direct != null && direct.mayBeWrittenTo();
    }

    /** {@return receives that have been posted and are not done; poller} */
    public int pendingReceives() {
        PendingReceives direct = incoming.receivesSoFar();
        return direct == null ? 0 : direct.size();
    }

    /** Poller: {@return the first receive, for {@link #fill}, if bytes are there to be copied to it; otherwise null} */
    public Receive takeWaiting() {
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
        boolean any = handleAll();
        PendingReceives direct = incoming.receivesSoFar();
        any |= direct != null && endClosed(direct.closeWindows());
        incoming.advance();
        if (any) {
            flusher.flush();
        }
        if (incoming.isFull() && outgoing.lacksRoom() && !outgoing.finished() && !ending) {
            incoming.onStuck();
        }
        if (incoming.buffers().growthDue() && link.failure() == null) {
            tryGrow();
        }
        return any;
    }

    /** What the peer sends meanwhile, with credits that it gets meanwhile, is for the next look: this one ends. */
    private boolean handleAll() {
        boolean any = false;
        int messages = 0;
        while (messages < depth && link.failure() == null && completions.poll(completion)) {
            any = true;
            if (completion.status != Status.SUCCESS) {
                link.fail("work completion: status=" + completion.status);
            } else if (handle()) {
                messages++;
            }
        }
        return any;
    }

    /** Ends receives behind whose closed windows everything has arrived. {@return whether anything had} */
    private boolean endClosed(boolean closed) {
        if (!closed) {
            return false;
        }
        boolean any = link.rules.handlesArrivalsBehindClosing() && handleAll();
        if (link.failure() == null) {
            incoming.receives().endClosed();
        }
        return any;
    }

    /** {@return whether it was a message} */
    private boolean handle() {
        int index = (int) completion.wrId;
        switch (completion.opcode) {
            case RECV -> onMessage(index * MessageDescriptor.LENGTH, completion.byteLength);
            case RECV_RDMA_WITH_IMM -> onImmediate(completion.immediate, completion.byteLength);
            default -> {
                return false;
            }
        }
        if (link.failure() == null) {
            postReceive(index);
            if (!credits.onReceiveReposted()) {
                link.violation("message without a credit", depth);
            }
        }
        return true;
    }

    private void onImmediate(int immediate, int length) {
        onCredits(ImmediateDescriptor.credits(immediate));
        int id = ImmediateDescriptor.id(immediate);
        switch (ImmediateDescriptor.kind(immediate)) {
            case ImmediateDescriptor.INDIRECT -> {
                incoming.onBytes(id & ImmediateDescriptor.GENERATION_MASK, length);
                if ((id & ImmediateDescriptor.WAITED) != 0) {
                    incoming.onWaited();
                }
            }
            case ImmediateDescriptor.DIRECT -> incoming.onDirect(id, length);
            default -> link.violation("immediate of unknown kind", immediate);
        }
    }

    private void onMessage(int offset, int length) {
        if (length != MessageDescriptor.LENGTH) {
            link.violation("message of wrong length", length);
            return;
        }
        onCredits(MessageDescriptor.credits(receives, offset));
        int id = MessageDescriptor.id(receives, offset);
        long position = MessageDescriptor.position(receives, offset);
        switch (MessageDescriptor.type(receives, offset)) {
            case MessageDescriptor.CREDIT -> {}
            case MessageDescriptor.ACK -> outgoing.onAcknowledged(id, position);
            case MessageDescriptor.PLACED -> {
                incoming.onBytes(id, position);
                if ((MessageDescriptor.flags(receives, offset) & MessageDescriptor.FLAG_WAITED) != 0) {
                    incoming.onWaited();
                }
            }
            case MessageDescriptor.FIN -> incoming.onFin(position);
            case MessageDescriptor.ADVERT -> outgoing.onAdvert(receives, offset);
            case MessageDescriptor.CANCEL -> outgoing.onCancel(id, MessageDescriptor.phase(receives, offset));
            case MessageDescriptor.CANCELLED -> incoming.onCancelled(id);
            case MessageDescriptor.NEWBUF -> outgoing.onOffered(receives, offset);
            case MessageDescriptor.SWITCHED -> incoming.onSwitched(id, position);
            case MessageDescriptor.URGENT -> incoming.onUrgent(position);
            default -> link.violation("message of unknown type", MessageDescriptor.type(receives, offset));
        }
    }

    private void onCredits(int returned) {
        if (!credits.onReturned(returned)) {
            link.violation("more message credits returned than there are", returned);
        }
    }

    /**
     * Announces a longer hidden buffer. What does not work out now is tried again: credits arrive, and who flushes looks once
     * more before it sleeps.
     */
    private void tryGrow() {
        if (incoming.prepareGrowth() && flusher.tryEnter()) {
            try {
                if (credits.tryTake()) {
                    flusher.announce(incoming.buffers());
                }
            } finally {
                flusher.leave();
            }
        }
    }

    /**
     * Any thread: has the hidden buffer not grow beyond what the program has chosen.
     *
     * @param chosenBytes &gt; 0; a buffer that is longer already stays
     */
    public void limitBuffer(int chosenBytes) {
        incoming.buffers().limit(chosenBytes);
    }

    /** Any thread: one of the ends is leaving, and room for more is not made any more. */
    public void onEnding() {
        ending = true;
    }

    /** Poller: has the hidden buffer grow to {@code lengthBytes}, whatever the policy says, unless it is growing. */
    void grow(int lengthBytes) {
        incoming.buffers().want(lengthBytes);
        if (incoming.buffers().growthDue()) {
            tryGrow();
        }
    }

    /**
     * {@return the word to disconnect with: how far this end has written and has heard of the peer} Any thread that has
     * seen the poller's work on what it claims to have heard of.
     */
    public long lastWord() {
        return LastWordDescriptor.encode(writtenBytes(), incoming.heardBytes());
    }

    /**
     * Poller: the peer has disconnected in order, with {@code lastWord}. What it could not announce for lack of credits is in
     * the hidden buffer all the same, and nothing follows.
     */
    public void onPeerClosed(long lastWord) {
        if (link.failure() == null && !incoming.finArrived()) {
            incoming.onPeerClosed(LastWordDescriptor.written(lastWord, incoming.heardBytes()));
        }
    }

    /** {@return whether this end has written what the peer, which has left with {@code lastWord}, has not heard of} */
    public boolean isMissed(long lastWord) {
        return LastWordDescriptor.isMissed(lastWord, writtenBytes());
    }

    // Flush.

    /** {@return whether a message is due that has not been sent yet; any thread} */
    public boolean owesOutput() {
        if (flusher.isDue()) {
            return true;
        }
        PendingReceives direct = incoming.receivesSoFar();
        return direct != null && direct.owesOutput();
    }

    /**
     * Sends what is due as far as message credits allow. Any thread; a thread that finds another at it leaves it to that
     * one.
     */
    public void flush() {
        flusher.flush();
    }

    /**
     * Writer: lets memory of hidden buffers go that nothing is in, on both sides: the peer's as far as this end may write there, this end's as far as the
     * peer may not. What is written there next takes new pages.
     */
    public void trim() {
        outgoing.trim();
        if (flusher.tryEnter()) { // Nobody tells the peer meanwhile that it may write there.
            try {
                incoming.trim();
            } finally {
                flusher.leave();
            }
        }
    }

    // Any thread.

    /** {@return bytes that have gone through hidden buffers, both ways} */
    public long bufferedBytes() {
        return outgoing.placedBytes() + incoming.copiedBytes();
    }

    /** {@return bytes this end has written; final once the writer has called {@link #finish}} */
    public long writtenBytes() {
        return outgoing.writtenBytes();
    }

    /** {@return bytes that {@link #tryReceive} would find, not counting completions not yet handled; any thread} */
    public long readableBytes() {
        return incoming.readableBytes();
    }

    /** {@return what FIONREAD tells of TCP: {@link #readableBytes}, but only those before an urgent byte; any thread} */
    public long availableBytes() {
        return incoming.availableBytes();
    }

    /** {@return whether anything has arrived that the program has not read, be it an urgent byte; any thread} */
    public boolean hasUnread() {
        return incoming.hasUnread();
    }

    /** {@return whether urgent data has been announced that may not have been read yet; any thread} */
    public boolean hasMark() {
        return incoming.hasMark();
    }

    /** Whether urgent bytes stay in the stream, or reads pass over them (SO_OOBINLINE). Any thread. */
    public void setUrgentInline(boolean inline) {
        incoming.setUrgentInline(inline);
    }

    /** {@return bytes that {@link #trySend} would take; any thread} */
    public long writableBytes() {
        return outgoing.writableBytes();
    }

    /** {@return bytes of the hidden buffer that arriving bytes go to; the poller's, roughly right for others} */
    int hiddenBytes() {
        return incoming.buffers().arriving().length;
    }

    /** {@return bytes of memory taken away from the peer that the next reads get; reader} */
    long spilledBytes() {
        return incoming.spilledBytes();
    }

    /** {@return this end's hidden buffers; poller} */
    HiddenBuffers hiddenBuffers() {
        return incoming.buffers();
    }

    /** {@return whether the peer's FIN has been handled; bytes before it may still be unread; any thread} */
    public boolean finArrived() {
        return incoming.finArrived();
    }

    /** {@return whether the writer has called {@link #finish}; any thread} */
    public boolean finished() {
        return outgoing.finished();
    }

    /** {@return whether this end's FIN has been sent; any thread} */
    public boolean finSent() {
        return outgoing.finSent();
    }

    /** {@return why the stream cannot go on, or null; any thread} */
    public String failure() {
        return link.failure();
    }
}
