package org.exsockets.connection.direct;

import org.exsockets.adapt.SharedTrials;
import org.exsockets.adapt.Trials;
import org.exsockets.jdk.NanoClock;
import org.exsockets.stream.Outgoing;
import org.exsockets.verbs.Endpoint;

/**
 * How a connection's writes go straight: into memory that the peer has advertised, or out of memory that the device
 * reads itself. Made at the first write that is long enough for either, or that finds the peer advertising: most
 * connections never need it.
 *
 * <p>Belongs to the writer, except as {@link RegisteredWrites} says.
 */
public final class DirectWrites {
    /**
     * Straight is the usual way: one core copies once. Through the hidden buffer, the other one, two cores copy at the
     * same time; which is faster depends on the outstanding receives and the size of the writes, too. After a change
     * the hidden buffer may be growing.
     */
    static final Trials.Rule RULE = new Trials.Rule(8, 2, 8, 2, 95, 25, 100_000_000, 6_400_000_000L, true);

    static final long SAMPLE_BYTES = 16 << 20;

    private static final SharedTrials SHARED = new SharedTrials();

    private final Outgoing outgoing;
    private final RegisteredWrites registered;
    private final AdvertPatience patience;
    private final Trials trials = new Trials(RULE, SHARED, SAMPLE_BYTES, false, NanoClock.SYSTEM);

    public DirectWrites(Outgoing outgoing, Endpoint endpoint) {
        this.outgoing = outgoing;
        this.registered = new RegisteredWrites(endpoint);
        this.patience = new AdvertPatience(outgoing);
    }

    /** {@return the writes that the device reads from the program's memory} */
    public RegisteredWrites registered() {
        return registered;
    }

    /** {@return whether a write of {@code length} bytes is to wait for an ADVERT, and ask again soon} */
    public boolean tryWait(int length) {
        return !trials.other() && patience.tryWait(length);
    }

    /** Ends a write's wait for an ADVERT, if there is one. */
    public void giveUp() {
        patience.giveUp();
    }

    /** Bytes have been written, whichever way, to a peer that advertises: that may change the way. */
    public void onWritten(int bytes) {
        boolean wasStraight = !trials.other();
        trials.onWritten(bytes);
        if (trials.other() == wasStraight) {
            outgoing.direct.use(!wasStraight);
            if (!wasStraight) {
                patience.again();
            }
        }
    }
}
