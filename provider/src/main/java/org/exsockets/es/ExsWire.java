package org.exsockets.es;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.exsockets.socket.ExsConnection;
import org.exsockets.socket.Wait;

/** An EXS connection, as ordinary sockets have it. */
final class ExsWire implements StreamWire {
    private final ExsConnection connection;
    private final String device;

    ExsWire(ExsConnection connection, String device) {
        this.connection = connection;
        this.device = device;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return connection.read(target, Wait.NONE);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return connection.write(source, Wait.NONE);
    }

    @Override
    public void shutdownOutput() {
        connection.shutdownOutput();
    }

    @Override
    public void close(boolean reset) {
        connection.close(reset ? ExsConnection.Close.ABORT : ExsConnection.Close.ORDERLY);
    }

    @Override
    public void attached(Attachment attachment) {
        if (!connection.addSelector(attachment)) {
            throw new IllegalStateException("stream socket: connection released while it is open");
        }
    }

    @Override
    public void detached(Attachment attachment) {
        connection.removeSelector(attachment);
    }

    @Override
    public boolean hasNews() {
        return connection.hasCompletions();
    }

    @Override
    public void arm() {
        connection.arm();
    }

    @Override
    public boolean polled() {
        return true;
    }

    @Override
    public long wakeUpNs() {
        return connection.events().wakeUpNs();
    }

    @Override
    public void channels(Pollable.Channels visitor, boolean reading, boolean writing) {
        // End of file would stay readable for ever.
        visitor.accept(connection.events().selectable(), connection.hungUp() ? 0 : SelectionKey.OP_READ);
    }

    @Override
    public void onReady() {
        connection.takeEvents();
    }

    @Override
    public InetSocketAddress localAddress() {
        return connection.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public String transport() {
        return device;
    }
}
