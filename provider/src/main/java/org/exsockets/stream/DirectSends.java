package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.exsockets.stream.direct.Advert;
import org.exsockets.stream.direct.AdvertQueue;
import org.exsockets.stream.link.Link;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.wire.ImmediateDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The direct transfers that {@link Outgoing} sends: to memory that the peer's program has advertised. Each is one
 * RDMA_WRITE_WITH_IMM, and needs a message credit before it begins. Belongs to the writer, except as told.
 */
public final class DirectSends {
    private final Link link;
    private final Flusher flusher;

    /** Null: the peer cannot advertise anything. */
    final @Nullable AdvertQueue adverts;

    /** Whether ADVERTs are used now, if there are any. */
    boolean used = true;

    /** Bytes written into memory of the peer's program; any thread reads it. */
    volatile long sent;

    /** As {@link Outgoing#PLACED}. */
    private static final AtomicLongFieldUpdater<DirectSends> SENT =
            AtomicLongFieldUpdater.newUpdater(DirectSends.class, "sent");

    DirectSends(Link link, Flusher flusher, boolean useAdverts) {
        this.link = link;
        this.flusher = flusher;
        DirectAccess access = link.endpoint.direct();
        this.adverts = access == null ? null : new AdvertQueue(link, access, useAdverts);
    }

    /**
     * @param placed bytes of the stream that went indirectly
     * @param announced whether the peer is told of everything before the next bytes
     * @param most bytes to send, &gt; 0
     * @return bytes that went into the memory of an ADVERT; 0: they are to go indirectly
     */
    @SuppressWarnings("NullAway") // An ADVERT waits.
    int trySend(
            long placed,
            boolean announced,
            ByteBuffer source,
            int offset,
            int most,
            @Nullable ProgramMemory registration) {
        AdvertQueue queue = adverts;
        Advert advert = queue.begin(placed + sent);
        if (advert == null) {
            return 0;
        }
        int length = (int) Math.min(most, advert.left());
        // Asked behind begin: from then on the poller leaves answers to the writer.
        int credits = announced && link.rules.mayAnnounce(queue.owesAnswer()) ? tryBegin(queue, advert) : -1;
        if (credits < 0) {
            queue.end(advert, 0);
            flushAnswers(queue);
            return 0;
        }
        SENT.lazySet(this, sent + length);
        int immediate = ImmediateDescriptor.encode(ImmediateDescriptor.DIRECT, credits, advert.id);
        long address = advert.address + advert.used;
        int answer;
        boolean read = false;
        try {
            answer = link.queuePair.writeWithImmediate(
                    source, offset, length, address, advert.rkey, registration, immediate, false);
            read = true;
        } finally {
            queue.leave();
            if (!read) {
                SENT.lazySet(this, sent - length);
                link.credits.untake(credits);
                queue.end(advert, 0);
            }
        }
        queue.end(advert, length);
        flushAnswers(queue);
        if (answer != QueuePair.POSTED) {
            link.onRefused(answer);
            return 0;
        }
        return length;
    }

    /** Sends the answers that the poller left to the writer because the ADVERT was in use. */
    private void flushAnswers(AdvertQueue queue) {
        if (queue.owesAnswer()) {
            flusher.flush();
        }
    }

    /**
     * Takes a credit and enters the window. A closed window counts as a missing ADVERT: its CANCEL is on the way. Until
     * that has come, bytes go indirectly, and none to the ADVERTs behind it.
     *
     * @return credits to return; -1: it was not entered
     */
    private int tryBegin(AdvertQueue queue, Advert advert) {
        int credits = link.credits.takeWithOwed(ImmediateDescriptor.MAX_CREDITS);
        if (credits >= 0 && !queue.tryEnter(advert)) {
            link.credits.untake(credits);
            return -1;
        }
        return credits;
    }

    /** {@return bytes that were written straight into memory of the peer's program} */
    public long sentBytes() {
        return sent;
    }

    /** Sets whether bytes go to advertised memory, or always to the peer's hidden buffer. */
    public void use(boolean use) {
        used = use;
    }

    /** {@return whether the peer has advertised memory, as far as is known; any thread} */
    public boolean hasAdverts() {
        return adverts != null && adverts.isWaiting();
    }

    /** {@return ADVERTs that have arrived so far, also those that came too late; wraps; any thread} */
    public int advertsSeen() {
        return adverts == null ? 0 : adverts.seen();
    }
}
