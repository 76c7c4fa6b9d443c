package org.exsockets.nio;

import java.io.IOException;
import java.util.Objects;
import org.exsockets.connection.ExsConnection;
import org.exsockets.observe.Flight;
import org.exsockets.observe.FlightLog;
import org.exsockets.waiting.Outcome;

/** Calls of a channel while a flight recorder runs, which is told what the JDK's channels tell it. */
final class Recorded {
    private Recorded() {}

    /** A read or a write, as of {@link ExsConnection}. */
    interface Transfer {
        long run() throws IOException;
    }

    /** Only where there is a recorder. {@return what the transfer returns} */
    static long run(boolean reading, ExsConnection exs, Transfer transfer) throws IOException {
        FlightLog recorder = Objects.requireNonNull(Flight.recorder);
        Object event = recorder.transferring(reading);
        long n = 0;
        try {
            n = transfer.run();
            return n;
        } finally {
            if (recorder.isDue(event)) { // Only then: the peer's port may have to be found.
                recorder.transferred(event, n >= Outcome.END_OF_STREAM ? n : 0, exs.remoteAddress());
            }
        }
    }
}
