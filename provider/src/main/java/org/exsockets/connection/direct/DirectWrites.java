package org.exsockets.connection.direct;

import org.exsockets.adapt.AdvertPatience;
import org.exsockets.adapt.DirectTrials;
import org.exsockets.adapt.TrialTurns;
import org.exsockets.jdk.NanoClock;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.Endpoint;

/**
 * How a connection's writes go straight: into memory that the peer has advertised, or out of memory that the device
 * reads itself. Made at the first write that is long enough for either, or that finds the peer advertising: most
 * connections never need it.
 *
 * <p>Belongs to the writer, except as {@link RegisteredWrites} says.
 */
public final class DirectWrites {
    private static final TrialTurns TURNS = new TrialTurns();

    private final StreamEngine engine;
    private final RegisteredWrites registered;
    private final AdvertPatience patience;
    private final DirectTrials trials = new DirectTrials(TURNS, NanoClock.SYSTEM);

    public DirectWrites(StreamEngine engine, Endpoint endpoint) {
        this.engine = engine;
        this.registered = new RegisteredWrites(endpoint);
        this.patience = new AdvertPatience(engine);
    }

    /** {@return the writes that the device reads from the program's memory} */
    public RegisteredWrites registered() {
        return registered;
    }

    /** {@return whether a write of {@code length} bytes is to wait for an ADVERT, and ask again soon} */
    public boolean tryWait(int length) {
        return trials.straight() && patience.tryWait(length);
    }

    /** Ends a write's wait for an ADVERT, if there is one. */
    public void giveUp() {
        patience.giveUp();
    }

    /** Bytes have been written, whichever way, to a peer that advertises: that may change the way. */
    public void onWritten(int bytes) {
        boolean wasStraight = trials.straight();
        trials.onWritten(bytes);
        if (trials.straight() != wasStraight) {
            engine.useAdverts(!wasStraight);
            if (!wasStraight) {
                patience.again();
            }
        }
    }
}
