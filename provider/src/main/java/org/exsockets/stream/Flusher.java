package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.stream.link.Link;
import org.exsockets.stream.link.MessageCredits;
import org.exsockets.wire.MessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Sends the control messages that may have to wait for a message credit, except ADVERT and CANCEL.
 *
 * <p>One thread at a time has the role; others leave the work to it. A request of another thread makes it look once
 * more, because it may have found no credit just before one came.
 */
final class Flusher {
    private final Link link;
    private final MessageCredits credits;

    /** Set once, as the two fields below, while the stream is made. */
    @SuppressWarnings("NullAway.Init") // By serve, before anybody else has this object.
    private Sender outgoing;

    @SuppressWarnings("NullAway.Init")
    private Receiver incoming;

    /** Null: hidden buffers do not grow. */
    private @Nullable Growth growth;

    /** What is to be told of bytes that were received. */
    interface Receiver {
        /** {@return whether an ACK is due} Any thread. */
        boolean acknowledgeDue();

        /** {@return bytes to acknowledge now, of {@link #acknowledgedGeneration}; they count as acknowledged} */
        long takeFreed();

        int acknowledgedGeneration();
    }

    /** The messages that concern bytes that are sent. */
    interface Sender {
        /** {@return whether a message is due} Any thread. */
        boolean owesOutput();

        /** Having taken a credit: posts what is due first. {@return whether there was anything, and it was posted} */
        boolean flushBytes();

        /** Having taken a credit: posts the FIN if it is due. {@return whether it was posted} */
        boolean flushFin();
    }

    private final AtomicInteger requests = new AtomicInteger();
    private final ByteBuffer message = MessageDescriptor.allocate(1);

    Flusher(Link link) {
        this.link = link;
        this.credits = link.credits;
    }

    /** @param grows null: nothing does */
    void serve(Sender sender, Receiver receiver, @Nullable Growth grows) {
        outgoing = sender;
        incoming = receiver;
        growth = grows;
    }

    /** {@return whether there is something to send; any thread} */
    boolean isDue() {
        return outgoing.owesOutput() || incoming.acknowledgeDue() || announcing() != null || credits.creditDue();
    }

    /** {@return what has a longer hidden buffer to announce; null: nothing has} */
    private @Nullable Growth announcing() {
        return growth != null && growth.announceDue ? growth : null;
    }

    /** Sends what is due as far as message credits allow. Any thread. */
    void flush() {
        if (isDue() && requests.getAndIncrement() == 0) {
            leave();
        }
    }

    /** Takes the role without anything being due. {@return whether it was free; then {@link #leave} must follow} */
    boolean tryEnter() {
        return requests.compareAndSet(0, 1);
    }

    /** Sends what is due, and what other threads have requested meanwhile, and gives up the role. */
    void leave() {
        int handled = 1;
        try {
            do {
                while (isDue() && sendOne()) {
                    // Until nothing is due or no credit is left.
                }
                handled = requests.addAndGet(-handled);
            } while (handled != 0);
        } catch (Throwable e) {
            requests.set(0);
            throw e;
        }
    }

    private boolean sendOne() {
        if (!credits.tryTake()) {
            return credits.creditDue() && credits.tryTakeLast() && send(MessageDescriptor.CREDIT, 0, 0);
        }
        if (outgoing.flushBytes()) {
            return true;
        }
        long freed = incoming.takeFreed();
        if (freed > 0) {
            return send(MessageDescriptor.ACK, incoming.acknowledgedGeneration(), freed);
        }
        Growth announcing = announcing();
        if (announcing != null) {
            announcing.announce(message, credits.takeOwed(Short.MAX_VALUE));
            return link.send(message, false);
        }
        if (outgoing.flushFin()) {
            return true;
        }
        if (credits.creditDue()) {
            return send(MessageDescriptor.CREDIT, 0, 0);
        }
        credits.untake(0);
        return false;
    }

    /** In the role, having taken a credit: posts a message. {@return whether it was posted} */
    boolean send(int type, int id, long position) {
        MessageDescriptor.encode(message, 0, type, credits.takeOwed(Short.MAX_VALUE), id, position);
        return link.send(message, false);
    }

    /**
     * In the role, having taken a credit: posts a PLACED. {@return whether it was posted}
     *
     * @param fills whether the peer has no room left: then it handles the message even if its program is in no call
     */
    boolean sendPlaced(int generation, long bytes, boolean waited, boolean fills) {
        MessageDescriptor.encodePlaced(message, credits.takeOwed(Short.MAX_VALUE), generation, bytes, waited);
        return link.send(message, fills);
    }
}
