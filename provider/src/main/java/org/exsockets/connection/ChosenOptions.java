package org.exsockets.connection;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import org.exsockets.rendezvous.InheritedOptions;
import org.jspecify.annotations.Nullable;

/**
 * SO_RCVBUF, SO_SNDBUF, SO_OOBINLINE, SO_LINGER, SO_KEEPALIVE and TCP_KEEPIDLE as the program has set them on a socket,
 * with a connection or before there is one.
 *
 * <p>Thread-safe. A thread that sets an option first stores it, then looks for the connection. A thread that has made
 * the connection first stores that, then looks for the options. So one of them passes the option on.
 */
public final class ChosenOptions {
    /** In bytes; 0: not set. */
    private volatile int receiveBytes;

    private volatile int sendBytes;
    private volatile boolean urgentInline;

    /** Negative: off. */
    private volatile int lingerSeconds = -1;

    private volatile boolean keepsAlive;

    /** Whether it ever was so. */
    private volatile boolean wasKeptAlive;

    /** Before a probe; 0: the system's. */
    private volatile int keepIdleSeconds;

    /** Null: there is none yet. */
    private volatile @Nullable ExsConnection connection;

    /** The program has set any option; others than these are ignored. */
    public void choose(SocketOption<?> name, Object value) {
        if (name.equals(StandardSocketOptions.SO_RCVBUF)) {
            receiveBytes = (Integer) value;
        } else if (name.equals(StandardSocketOptions.SO_SNDBUF)) {
            sendBytes = (Integer) value;
        } else if (name.equals(StandardSocketOptions.SO_LINGER)) {
            lingerSeconds = value instanceof Integer seconds ? seconds : -1;
        } else if (name.equals(StandardSocketOptions.SO_KEEPALIVE)) {
            keepsAlive = (Boolean) value;
            wasKeptAlive |= keepsAlive;
        } else if (name.name().equals(InheritedOptions.KEEP_IDLE)) {
            keepIdleSeconds = (Integer) value;
        } else if (value instanceof Boolean inline && name.name().equals("SO_OOBINLINE")) {
            urgentInline = inline;
        } else {
            return;
        }
        passOn();
    }

    /** The program has set SO_OOBINLINE, for which the JDK has no public name. */
    public void chooseUrgentInline(boolean inline) {
        urgentInline = inline;
        passOn();
    }

    /** Before the connection is made: takes the listener's SO_RCVBUF and TCP_KEEPIDLE. */
    public void inherit(InheritedOptions options) {
        keepIdleSeconds = options.keepIdleSeconds();
        receiveBytes = options.receiveBufferBytes();
    }

    /** The connection has been made. */
    public void applyTo(ExsConnection made) {
        connection = made;
        passOn();
    }

    /** {@return SO_LINGER in seconds; negative: off} */
    public int lingerSeconds() {
        return lingerSeconds;
    }

    private void passOn() {
        ExsConnection to = connection;
        if (to == null) {
            return;
        }
        to.setUrgentInline(urgentInline);
        to.ending.lingersNot = lingerSeconds == 0;
        if (wasKeptAlive) {
            to.endpoint.queuePair().keepAlive(keepsAlive ? keepIdleSeconds : -1);
        }
        if (receiveBytes > 0) {
            to.engine.limitBuffer(receiveBytes);
        }
        if (sendBytes > 0) {
            to.engine.outgoing.limitAhead(sendBytes);
        }
    }
}
