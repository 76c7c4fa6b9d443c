package org.exsockets.stream;

import org.exsockets.stream.direct.PendingReceives;
import org.exsockets.stream.direct.Receive;
import org.exsockets.stream.link.Link;
import org.exsockets.stream.link.Rules;
import org.exsockets.stream.link.StreamListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.MoreRoom;
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

    private final Link link;

    /** The direction that this end receives, for the reader. */
    public final Incoming incoming;

    /** The direction that this end sends, for the writer. */
    public final Outgoing outgoing;

    private final Flusher flusher;
    private final Arrivals arrivals;

    /** Null: hidden buffers do not grow. */
    private final @Nullable Growth growth;

    /** Takes over an endpoint that nothing was posted to. */
    public StreamEngine(Endpoint endpoint) {
        this(endpoint, new StreamListener() {}, true);
    }

    /** @param useAdverts whether to write to memory that the peer has advertised */
    public StreamEngine(Endpoint endpoint, StreamListener listener, boolean useAdverts) {
        this(endpoint, listener, useAdverts, Rules.PROTOCOL);
    }

    StreamEngine(Endpoint endpoint, StreamListener listener, boolean useAdverts, Rules rules) {
        this.link = new Link(endpoint, rules, listener);
        this.flusher = new Flusher(link);
        this.incoming = new Incoming(link, flusher);
        this.growth = incoming.buffers.growth;
        this.outgoing = new Outgoing(link, flusher, useAdverts);
        flusher.serve(outgoing, incoming, growth);
        this.arrivals = new Arrivals(link, incoming, outgoing);
    }

    // Receives of the program.

    /**
     * Poller: adds a receive behind those that are pending, and advertises it if it can be. It may be done at once
     * ({@link Receive#isDone}). Its bytes in the hidden buffer are copied by calls of {@link #takeWaiting}, {@link
     * Incoming#fill} and {@link #filled} in turn.
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

    /** Poller: {@return the first receive, for {@link Incoming#fill}, if bytes are there to be copied to it; otherwise null} */
    public @Nullable Receive takeWaiting() {
        Receive first = incoming.receives().firstWaiting();
        if (first == null || !incoming.hasUnread()) {
            return null;
        }
        first.filling = true;
        return first;
    }

    /** Poller: {@link Incoming#fill} has copied {@code bytes}. */
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
        link.queuePair.completionQueue().look();
        return progressFound();
    }

    /** Poller: as {@link #progress}, but handles those that were there at the latest look. */
    public boolean progressFound() {
        boolean any = arrivals.handleFound();
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
    void tryGrow(Growth growth) {
        if (growth.wantedLength != 0 && link.failure() == null) {
            growth.prepare(incoming.buffers.arriving, incoming.copied, incoming.finArrived);
            flusher.flush();
        }
    }

    /** Any thread: the hidden buffer must not grow beyond {@code chosenBytes}, &gt; 0; a longer one stays. */
    public void limitBuffer(int chosenBytes) {
        if (growth != null) {
            growth.policy.limit(chosenBytes);
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

    /** {@return whether {@link #growIfFull} would grow now} Any thread; a guess. */
    public boolean isFull() {
        return growth != null && incoming.isFull();
    }

    /** Any thread: the connection is ending, so no more room is made if both ends lack it. */
    public void onEnding() {
        if (growth != null) {
            growth.ending = true;
        }
    }

    /**
     * {@return the word to disconnect with: how far this end has written and has heard of the peer} Any thread that has
     * seen the poller's work on the bytes heard of.
     */
    public long lastWord() {
        return LastWordDescriptor.encode(outgoing.writtenBytes(), incoming.heardBytes());
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
        return LastWordDescriptor.isMissed(lastWord, outgoing.writtenBytes());
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

    /** {@return why the stream cannot go on, or null; any thread} */
    public @Nullable String failure() {
        return link.failure();
    }
}
