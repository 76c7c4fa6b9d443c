package org.exsockets.net;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.Socket;
import org.exsockets.connection.Close;
import org.exsockets.connection.ExsConnection;
import org.exsockets.jdk.Cleaners;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * What a socket implementation holds outside the heap. If the program loses the socket without closing it, this closes
 * it, as the JDK's own cleaner does for TCP: the peer sees the end of the stream, or a reset if bytes were left unread
 * or SO_LINGER is 0; a listener's port is free again.
 *
 * <p>The streams of a socket refer to its implementation, so a call that waits keeps it reachable. The implementation's
 * calls have ended before {@link #run} begins.
 */
final class Holding implements Runnable {
    private final @Nullable ExsConnection connection;
    private final @Nullable ListeningSide listening;

    /** Null if none was made. The cleaner's thread sees it: it is set before the implementation is lost. */
    private volatile @Nullable Socket plain;

    private final Cleaner.Cleanable cleanable;

    /** Exactly one of the first two is null. @param plain the connection's TCP side, null if there is none yet */
    Holding(
            Object impl,
            @Nullable ExsConnection connection,
            @Nullable ListeningSide listening,
            @Nullable Socket plain) {
        this.connection = connection;
        this.listening = listening;
        this.plain = plain;
        this.cleanable = Cleaners.register(impl, this);
    }

    /** The connection's TCP side has been made. */
    void alsoHolds(Socket made) {
        plain = made;
    }

    /** The implementation has closed everything. */
    void end() {
        cleanable.clean();
    }

    /** Closes what is still open. */
    @Override
    public void run() {
        try {
            if (listening != null) {
                listening.close();
            }
            if (connection != null) {
                connection.close(Close.ORDERLY);
            }
            Socket beside = plain;
            if (beside != null) {
                beside.close();
            }
        } catch (IOException | RuntimeException e) {
            Log.debug("socket that was never closed: " + e);
        }
    }
}
