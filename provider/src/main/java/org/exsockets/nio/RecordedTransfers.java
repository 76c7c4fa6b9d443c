package org.exsockets.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.connection.ExsConnection;
import org.exsockets.observe.FlightLog;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Turn;

/** Calls of a channel while a flight recorder runs, which is told what the JDK's channels tell it. */
final class RecordedTransfers {
    private RecordedTransfers() {}

    /** As {@link ExsConnection#read(ByteBuffer, Turn)}. */
    static int read(FlightLog recorder, ExsConnection exs, ByteBuffer target, Turn turn) throws IOException {
        Object event = recorder.transferring(true);
        int n = 0;
        try {
            n = exs.read(target, turn);
            return n;
        } finally {
            end(recorder, event, exs, n);
        }
    }

    /** As {@link ExsConnection#read(ByteBuffer[], int, int, Turn)}. */
    static long read(FlightLog recorder, ExsConnection exs, ByteBuffer[] targets, int offset, int length, Turn turn)
            throws IOException {
        Object event = recorder.transferring(true);
        long n = 0;
        try {
            n = exs.read(targets, offset, length, turn);
            return n;
        } finally {
            end(recorder, event, exs, n);
        }
    }

    /** As {@link ExsConnection#write(ByteBuffer, Turn)}. */
    static int write(FlightLog recorder, ExsConnection exs, ByteBuffer source, Turn turn) throws IOException {
        Object event = recorder.transferring(false);
        int n = 0;
        try {
            n = exs.write(source, turn);
            return n;
        } finally {
            end(recorder, event, exs, n);
        }
    }

    /** As {@link ExsConnection#write(ByteBuffer[], int, int, Turn)}. */
    static long write(FlightLog recorder, ExsConnection exs, ByteBuffer[] sources, int offset, int length, Turn turn)
            throws IOException {
        Object event = recorder.transferring(false);
        long n = 0;
        try {
            n = exs.write(sources, offset, length, turn);
            return n;
        } finally {
            end(recorder, event, exs, n);
        }
    }

    private static void end(FlightLog recorder, Object event, ExsConnection exs, long n) {
        if (recorder.isDue(event)) { // Only then: the peer's port may have to be found.
            recorder.transferred(event, n >= Outcome.END_OF_STREAM ? n : 0, exs.remoteAddress());
        }
    }
}
