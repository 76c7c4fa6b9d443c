package org.exsockets.stream;

/**
 * What the protocol decides by a comparison, in one place, so that tests can weaken one rule at a time and see it noticed.
 * Stateless.
 */
class Rules {
    static final Rules PROTOCOL = new Rules();

    /** Ids of ADVERTs are serials below this, a power of two. */
    int idLimit() {
        return 1 << 16;
    }

    /** {@return ADVERTs of one direction that may be live or have an unanswered CANCEL, at most} */
    int advertLimit() {
        return AdvertQueue.LIMIT;
    }

    /**
     * A receive may be advertised only while nothing is unread, so that the first byte that goes there is the first one
     * that has not arrived yet.
     */
    boolean mayAdvertise(long unread, boolean finArrived) {
        return unread == 0 && !finArrived;
    }

    /**
     * {@return position in the stream that an ADVERT carries} What the peer may still write to earlier ones must not count:
     * it may go indirectly instead.
     *
     * @param received bytes that have arrived
     * @param outstanding bytes that earlier live ADVERTs still ask for
     */
    long advertisedPosition(long received, long outstanding) {
        return received;
    }

    /** An id that the peer may still answer for must not mean another ADVERT meanwhile. */
    boolean isFree(boolean live, boolean unanswered) {
        return !live && !unanswered;
    }

    /**
     * {@return whether an ADVERT that has come is good for the next bytes}
     *
     * @param phase of the ADVERT
     * @param position of the ADVERT
     * @param current phase of this end
     * @param sent bytes of the stream that this end has sent
     */
    boolean accepts(int phase, long position, int current, long sent) {
        return phase == current || Phase.isLater(phase, current) && position == sent;
    }

    /** Bytes that have gone indirectly make every ADVERT wrong that was made before they arrived. */
    boolean discardsWhenIndirect() {
        return true;
    }

    /** A cancelled receive may not be given back as long as the peer may write to it. */
    boolean awaitsCancelled() {
        return true;
    }

    /** {@return whether a cancelled receive that has got some of the bytes it waits for is over} */
    boolean endsCancelled(boolean full) {
        return full;
    }

    /** A CANCELLED that is due goes before bytes for the receives behind the cancelled one. */
    boolean mayAnnounce(boolean cancelledDue) {
        return !cancelledDue;
    }

    /** Memory that the peer may still write to is taken away from it before the program gets it back. */
    boolean fences() {
        return true;
    }

    /** So is that of the receives behind it, which must get what comes to it first. */
    boolean fencesThoseBehind() {
        return true;
    }

    /** Nothing may be written through a window that its owner has closed. */
    boolean heedsWindows() {
        return true;
    }

    /** What was written through a window before it was closed may have arrived, and not been handled. */
    boolean handlesArrivalsBehindClosing() {
        return true;
    }

    /** {@return bytes of a hidden buffer of {@code length} bytes that are read before the peer is told} */
    int acknowledgeThreshold(int length) {
        return Math.max(1, length / 4);
    }

    /** {@return whether an acknowledgement of {@code generation} is about a buffer of generation {@code of}} */
    boolean concerns(int generation, int of) {
        return generation == of;
    }

    /** {@return credits that only a CREDIT may take} */
    int creditReserve() {
        return 1;
    }

    /** {@return credits owed from which on a CREDIT is due} */
    int creditThreshold(int depth) {
        return Math.max(2, depth / 2);
    }
}
