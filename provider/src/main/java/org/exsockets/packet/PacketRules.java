package org.exsockets.packet;

import org.exsockets.stream.link.MessageCredits;
import org.exsockets.wire.ImmediateDescriptor;

/**
 * The decisions of the protocol that are comparisons. They are in one place so that tests can weaken one rule at a time
 * and see that this is detected. Stateless.
 */
class PacketRules {
    static final PacketRules PROTOCOL = new PacketRules();

    /** Ids of ADVERTs are serials below this, a power of two. */
    int idLimit() {
        return ImmediateDescriptor.ID_LIMIT;
    }

    /** {@return ADVERTs an end may have out at a time} */
    int advertLimit() {
        return 1024;
    }

    /** Memory is advertised for direct writes from this length on: below it, a copy is cheaper. */
    int minDirectBytes() {
        return 16 << 10;
    }

    /** {@return the credits of a connection with {@code depth} receives at each end} */
    MessageCredits credits(int depth) {
        return new MessageCredits(depth);
    }

    /** {@return bytes of a packet that its receive takes} */
    int placedBytes(int packet, int receive) {
        return Math.min(packet, receive);
    }

    /** {@return whether a receive may be advertised now} */
    boolean mayAdvertise(boolean roomInStaging, boolean finArrived) {
        return roomInStaging && !finArrived;
    }

    /**
     * {@return the position up to which staging is free once a receive has ended}
     *
     * @param oldest where the piece of the oldest receive under way begins
     * @param ended where the piece of the one that has ended ends
     */
    long freeStaging(long oldest, long ended) {
        return oldest;
    }

    /** A cancelled receive may not be given back as long as the peer may write to it. */
    boolean awaitsCancelled() {
        return true;
    }

    /** The ADVERT of a partly sent packet stays: its memory is being written. */
    boolean dropsCancelled(boolean begun) {
        return !begun;
    }

    /** A CANCELLED is sent behind a partly sent packet. */
    boolean mayAnswer(boolean halfSent) {
        return !halfSent;
    }

    /** A CANCELLED that is due is sent before the next packet, which the peer takes for its oldest receive. */
    boolean mayBegin(boolean cancelledDue) {
        return !cancelledDue;
    }

    /** Memory that was exported may not be given back as long as the peer may write to it. */
    boolean awaitsUnexported() {
        return true;
    }

    /** After its UNEXPORTED an end does not write there any more. */
    boolean forgetsExport() {
        return true;
    }

    /** A notification is sent behind the bytes it reports. */
    boolean mayNotify(int written, int length) {
        return written == length;
    }

    /** A notification ends a receive, as a packet does. */
    boolean notificationTakesAdvert() {
        return true;
    }

    /** {@return whether the FIN may be sent} */
    boolean mayFinish(boolean nothingToSend, boolean cancelledDue) {
        return nothingToSend && !cancelledDue;
    }

    /** Memory that the peer may still write to is taken away from it before the program gets it back. */
    boolean fences() {
        return true;
    }
}
