package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A {@link Socket} with its two streams and a byte array. */
class SocketWire implements Wire {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer;

    SocketWire(Socket socket, int sizeBytes) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        this.buffer = new byte[sizeBytes];
    }

    @Override
    public void put(int index, byte value) {
        buffer[index] = value;
    }

    @Override
    public byte at(int index) {
        return buffer[index];
    }

    @Override
    public void send(int lengthBytes) throws IOException {
        out.write(buffer, 0, lengthBytes);
    }

    @Override
    public void receive(int lengthBytes) throws IOException {
        if (in.readNBytes(buffer, 0, lengthBytes) < lengthBytes) {
            throw new EOFException("end of stream inside a message");
        }
    }

    @Override
    public int read() throws IOException {
        return in.read(buffer);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
