package org.exsockets.connection;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Objects;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Turn;
import org.exsockets.waiting.Wait;

/** The input stream of a socket over EXS, with the exceptions of the JDK's. Thread-safe. */
public final class ConnectionInputStream extends InputStream implements Turn {
    private final ExsConnection connection;
    private final StreamOwner owner;

    /** A read has come to the end. Stays true, so a thread that sees it late only reads once more. */
    private volatile boolean ended;

    public ConnectionInputStream(ExsConnection connection, StreamOwner owner) {
        this.connection = connection;
        this.owner = owner;
    }

    @Override
    public Wait begin() throws IOException {
        return owner.readWait();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (ended && owner.reportsAgain()) {
            return -1;
        }
        Wait inTime = owner.readWaitInTime();
        int n = inTime == null
                ? connection.read(target, offset, length, this)
                : connection.readInTime(target, offset, length, this, inTime);
        if (n == Outcome.END_OF_STREAM) {
            if (connection.resetWasRead() && owner.reportsAgain()) {
                throw new SocketException("Connection reset");
            }
            ended = true;
        }
        return n >= Outcome.END_OF_STREAM ? n : failed(n);
    }

    private int failed(int code) throws IOException {
        switch (code) {
            case Outcome.TIMED_OUT -> throw new SocketTimeoutException("Read timed out");
            case Outcome.INTERRUPTED -> throw owner.interrupted();
            case Outcome.CLOSED_BEFORE -> throw owner.closedBefore();
            default -> throw owner.closedMeanwhile();
        }
    }

    @Override
    public int available() throws IOException {
        owner.ensureOpen();
        return connection.available();
    }

    @Override
    public void close() throws IOException {
        owner.close();
    }
}
