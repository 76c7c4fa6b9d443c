package org.exsockets.stream.link;

import java.util.concurrent.TimeUnit;

/**
 * The decisions of the protocol that are comparisons. They are in one place so that tests can weaken one rule at a time
 * and see that this is detected. Stateless.
 */
public class Rules {
    /** The protocol's own. */
    public static final Rules PROTOCOL = new Rules();

    /** Most ADVERTs of one direction that may be live or have an unanswered CANCEL. */
    public static final int ADVERT_LIMIT = 32;

    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Ids of ADVERTs are serials below this, a power of two. */
    public int idLimit() {
        return 1 << 16;
    }

    /** {@return most ADVERTs of one direction that may be live or have an unanswered CANCEL} */
    public int advertLimit() {
        return ADVERT_LIMIT;
    }

    /**
     * A receive may be advertised only while nothing is unread, so that the first byte that goes there is the first one
     * that has not arrived yet.
     */
    public boolean mayAdvertise(long unread, boolean finArrived) {
        return unread == 0 && !finArrived;
    }

    /**
     * {@return position in the stream that an ADVERT carries} Bytes that the peer may still write to earlier ones do
     * not count, because they may go indirectly instead.
     *
     * @param received bytes that have arrived
     * @param outstanding bytes that earlier live ADVERTs still ask for
     */
    public long advertisedPosition(long received, long outstanding) {
        return received;
    }

    /** An id must not name another ADVERT while the peer may still use or answer it. */
    public boolean isFree(boolean live, boolean unanswered) {
        return !live && !unanswered;
    }

    /**
     * {@return whether an ADVERT can take the next bytes}
     *
     * @param phase of the ADVERT
     * @param position of the ADVERT
     * @param current phase of this end
     * @param sent bytes of the stream that this end has sent
     */
    public boolean accepts(int phase, long position, int current, long sent) {
        return phase == current || Phase.isLater(phase, current) && position == sent;
    }

    /** Bytes that have gone indirectly make every ADVERT stale that was made before they arrived. */
    public boolean discardsWhenIndirect() {
        return true;
    }

    /** A cancelled receive may not be given back as long as the peer may write to it. */
    public boolean awaitsCancelled() {
        return true;
    }

    /** {@return whether a cancelled receive that has got some of the bytes it waits for ends} */
    public boolean endsCancelled(boolean full) {
        return full;
    }

    /** A CANCELLED that is due is sent before bytes for the receives behind the cancelled one. */
    public boolean mayAnnounce(boolean cancelledDue) {
        return !cancelledDue;
    }

    /** Memory that the peer may still write to is taken away from it before the program gets it back. */
    public boolean fences() {
        return true;
    }

    /** So is the memory of the receives behind, because the bytes that come to the first one must be read first. */
    public boolean fencesThoseBehind() {
        return true;
    }

    /** Nothing may be written through a window that its owner has closed. */
    public boolean heedsWindows() {
        return true;
    }

    /** Bytes written through a window before it was closed may have arrived without having been handled. */
    public boolean handlesArrivalsBehindClosing() {
        return true;
    }

    /** {@return bytes of a hidden buffer of {@code length} bytes that are read before the peer is told} */
    public int acknowledgeThreshold(int length) {
        return Math.max(1, length / 4);
    }

    /** {@return whether an ACK of {@code generation} is for a buffer of generation {@code of}} */
    public boolean concerns(int generation, int of) {
        return generation == of;
    }

    /** {@return credits that only a CREDIT may take} */
    public int creditReserve() {
        return 1;
    }

    /** {@return the number of owed credits at which a CREDIT is due} */
    public int creditThreshold(int depth) {
        return Math.max(2, depth / 2);
    }

    /**
     * {@return whether a reader is slow that has not read half of a full reserve yet}
     *
     * @param ns since it was full
     */
    public boolean isSlow(long ns) {
        return ns > SLOW_NS;
    }
}
