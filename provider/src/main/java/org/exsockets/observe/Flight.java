package org.exsockets.observe;

import java.net.InetSocketAddress;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Whether Java Flight Recorder runs, or has run, in this JVM. While not, and where the JVM has none, nothing is told: a
 * caller on the path of data looks at a field, others ask whether one runs by now.
 *
 * <p>Any thread. A stale null loses an event at the beginning of a recording.
 */
public final class Flight {
    /**
     * Null while none is known to have run. For readers elsewhere, who are on the path of data, and find in a load that
     * there is none; only {@link #look} writes it.
     */
    public static @Nullable FlightLog recorder;

    private static boolean lacking;

    private Flight() {}

    /** {@return {@link #recorder}, having looked whether one runs by now} The first time it loads two classes. */
    public static @Nullable FlightLog look() {
        if (recorder == null && !lacking) {
            try {
                if (FlightRecorder.isInitialized()) {
                    recorder = new FlightLog();
                }
            } catch (LinkageError | RuntimeException without) {
                lacking = true;
            }
        }
        return recorder;
    }

    /**
     * A connect, a listener or an accepted connection uses TCP.
     *
     * @param address of the peer, or of the listener; or what names it
     */
    public static void fallback(String what, Object address, FallbackReason reason) {
        FlightLog now = look();
        if (now != null) {
            String text = address instanceof InetSocketAddress inet ? Description.address(inet) : address.toString();
            now.onFallback(what, text, reason.jsonName());
        }
    }
}
