package org.exsockets.connection;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Turn;
import org.exsockets.waiting.Wait;

/** The output stream of a socket over EXS, with the exceptions of the JDK's. Thread-safe; writes do not mix. */
public final class ConnectionOutputStream extends OutputStream implements Turn {
    private final ExsConnection connection;
    private final StreamOwner owner;

    public ConnectionOutputStream(ExsConnection connection, StreamOwner owner) {
        this.connection = connection;
        this.owner = owner;
    }

    @Override
    public Wait begin() throws IOException {
        return owner.writeWait();
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length == 0) {
            return;
        }
        int n;
        try {
            n = connection.write(source, offset, length, this);
        } catch (IOException e) {
            throw owner.writeFailed(e);
        }
        switch (n) {
            case Outcome.INTERRUPTED -> throw owner.interrupted();
            case Outcome.CLOSED_BEFORE -> throw owner.closedBefore();
            case Outcome.CLOSED -> throw owner.closedMeanwhile();
            case Outcome.OUTPUT_SHUT -> throw owner.outputShut(connection);
            default -> {}
        }
    }

    @Override
    public void close() throws IOException {
        owner.close();
    }
}
