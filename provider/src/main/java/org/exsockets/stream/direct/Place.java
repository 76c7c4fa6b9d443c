package org.exsockets.stream.direct;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the place of a receive that has ended, or waits further behind, until the peer has answered the CANCEL of its
 * ADVERT. What ends the ADVERT ends the place. Belongs to the poller.
 */
final class Place extends Receive {
    private final boolean keepsBytes;

    /**
     * Takes over the live ADVERT of {@code of}.
     *
     * @param kept memory that the peer writes to instead of the receive's; null: the peer cannot write any more
     */
    Place(Receive of, @Nullable ByteBuffer kept) {
        keepsBytes = kept != null;
        if (kept != null) {
            into(kept, 0, of.advertisedLength, of.waitsForAll(), null);
        }
        id = of.id;
        advertisedLength = of.advertisedLength;
        cancelSent = of.cancelSent;
        state(of.state());
    }

    @Override
    boolean isPlace() {
        return true;
    }

    @Override
    boolean keepsBytes() {
        return keepsBytes;
    }

    /** {@return the next {@code bytes} that the peer has written, for the next read} */
    ByteBuffer written(int bytes) {
        return memory().duplicate().position(advertisedFrom).limit(advertisedFrom + bytes);
    }
}
