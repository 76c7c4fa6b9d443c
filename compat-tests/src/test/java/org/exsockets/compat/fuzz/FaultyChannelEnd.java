package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A channel with a fault. */
final class FaultyChannelEnd extends ChannelEnd {
    private static final int LONG_WRITE_BYTES = 100;

    private final Fault fault;

    FaultyChannelEnd(String name, SocketChannel channel, Fault fault) {
        super(name, channel);
        this.fault = fault;
    }

    @Override
    int write(ByteBuffer buffer) throws IOException {
        if (fault != Fault.LOST_BYTE || buffer.remaining() < LONG_WRITE_BYTES) {
            return super.write(buffer);
        }
        int end = buffer.limit();
        buffer.limit(end - 1);
        int n = super.write(buffer);
        boolean all = !buffer.hasRemaining();
        buffer.limit(end);
        buffer.position(all ? end : buffer.position());
        return all ? n + 1 : n;
    }

    @Override
    int read(ByteBuffer buffer) throws IOException {
        int n;
        try {
            n = super.read(buffer);
        } catch (SocketException e) {
            throw fault == Fault.OTHER_MESSAGE && "Connection reset".equals(e.getMessage())
                    ? new SocketException("Connection reset by peer")
                    : e;
        }
        if (n < 0 && fault == Fault.RESET_FOR_END) {
            throw new SocketException("Connection reset");
        }
        return n;
    }
}
