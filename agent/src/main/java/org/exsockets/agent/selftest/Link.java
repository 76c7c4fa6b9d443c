package org.exsockets.agent.selftest;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** One end of a connection, used by the calls of a face. One thread may send while another one receives. */
abstract class Link implements Closeable {
    /** Connects and asks for a service. {@code server}: the listener of that face */
    static Link connect(Face face, InetSocketAddress server, Service service) throws IOException {
        Link link = switch (face) {
            case SOCKET -> SocketLink.connect(server);
            case CHANNEL -> ChannelLink.connect(server);
            case SELECTOR -> SelectorLink.connect(server);
            case ASYNCHRONOUS -> AsynchronousLink.connect(server);
        };
        try {
            ByteBuffer header = link.buffer(Service.HEADER_BYTES);
            header.put((byte) service.ordinal()).put((byte) face.ordinal()).flip();
            link.send(header);
            return link;
        } catch (IOException e) {
            link.close();
            throw e;
        }
    }

    /** {@return a buffer as programs use it with this face} */
    ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    /** Sends all that remains in the buffer. */
    abstract void send(ByteBuffer bytes) throws IOException;

    /** Waits for something. {@return how many bytes were received; -1: the peer has ended its output} */
    abstract int receive(ByteBuffer into) throws IOException;

    /** The peer will find the end of the stream. */
    abstract void endOutput() throws IOException;

    /** Fills the buffer. */
    final void receiveAll(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (receive(into) < 0) {
                throw new EOFException("the connection ended, " + into.remaining() + " bytes before it should have");
            }
        }
    }
}
