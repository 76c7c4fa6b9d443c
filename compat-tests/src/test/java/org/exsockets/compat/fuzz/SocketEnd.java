package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/** A socket, or the adaptor of a channel. */
final class SocketEnd implements End {
    private static final int SHORT_MS = 200;
    private static final int MARGIN = 3;

    /** The time of a read of the JDK's sockets begins with the call, not with its turn (JDK-8358496). */
    private static final boolean TIMED_FROM_THE_CALL = Runtime.version().feature() >= 25;

    private final Socket socket;
    private final Content content;
    private final Lingering lingering = new Lingering();

    SocketEnd(String name, Socket socket) {
        this(name, socket, new Content(name));
    }

    SocketEnd(String name, Socket socket, Content content) {
        this.socket = socket;
        this.content = content;
    }

    static String accepted(String name, Socket socket) throws Exception {
        socket.setTcpNoDelay(true);
        return socket.getRemoteSocketAddress() + " " + Ends.add(name, new SocketEnd(name, socket));
    }

    @Override
    public String call(String verb, String[] arguments) throws Exception {
        lingering.before(verb, arguments);
        String bulk = new Bulk(this::read, this::write, content).call(verb, arguments);
        if (bulk != null) {
            return bulk;
        }
        switch (verb) {
            case "bind":
                socket.bind(Addresses.of(arguments[0]));
                return String.valueOf(socket.getLocalSocketAddress());
            case "connect":
                return connect(arguments);
            case "shutin":
                socket.shutdownInput();
                return "ok";
            case "shutout":
                socket.shutdownOutput();
                return "ok";
            case "close":
                socket.close();
                return "ok";
            case "closein":
                socket.getInputStream().close();
                return "ok";
            case "urgent":
                socket.sendUrgentData(Integer.parseInt(arguments[0]));
                return "ok";
            case "linger":
                int seconds = Integer.parseInt(arguments[0]);
                socket.setSoLinger(seconds >= 0, seconds);
                return Integer.toString(socket.getSoLinger());
            case "timeout":
                socket.setSoTimeout(Integer.parseInt(arguments[0]));
                return Integer.toString(socket.getSoTimeout());
            case "inline":
                socket.setOOBInline(Boolean.parseBoolean(arguments[0]));
                return Boolean.toString(socket.getOOBInline());
            case "set":
                return Options.set(socket.supportedOptions(), socket::setOption, arguments);
            case "get":
                return Options.get(socket.supportedOptions(), socket::getOption, arguments[0]);
            case "options":
                return Options.names(socket.supportedOptions());
            case "state":
                return state();
            case "ports":
                return Addresses.ports(socket.getLocalSocketAddress(), socket.getRemoteSocketAddress());
            default:
                return transfer(verb, arguments);
        }
    }

    private String connect(String[] arguments) throws IOException {
        SocketAddress address = Addresses.of(arguments[0]);
        if (!socket.isClosed()) {
            socket.setTcpNoDelay(true);
        }
        if (arguments.length > 1) {
            socket.connect(address, Integer.parseInt(arguments[1]));
        } else {
            socket.connect(address);
        }
        return "ok";
    }

    private String transfer(String verb, String[] arguments) throws IOException {
        switch (verb) {
            case "read":
                Margins margins = Margins.of(arguments, 0);
                return margins.read(read(margins.first()), content);
            case "readone":
                boundedByTimeout();
                int one = socket.getInputStream().read();
                content.received(one >= 0 ? 1 : 0);
                return Integer.toString(one);
            case "readn":
                boundedByTimeout();
                byte[] bytes = socket.getInputStream().readNBytes(Integer.parseInt(arguments[0]));
                content.received(bytes.length);
                CRC32 crc = new CRC32();
                crc.update(bytes);
                return bytes.length + " " + Content.sum(crc);
            case "skip":
                boundedByTimeout();
                long skipped = socket.getInputStream().skip(Long.parseLong(arguments[0]));
                content.received(skipped);
                return Long.toString(skipped);
            case "available":
                return Integer.toString(socket.getInputStream().available());
            case "write":
                Margins written = Margins.of(arguments, 0);
                written.fill(content);
                return written.written(write(written.first()), content);
            case "writeone":
                socket.getOutputStream().write((int) content.reserve(1));
                return "ok";
            default:
                return unknown();
        }
    }

    private void boundedByTimeout() throws SocketException {
        int timeoutMs = socket.getSoTimeout();
        if (timeoutMs > 0 && timeoutMs <= SHORT_MS) {
            if (TIMED_FROM_THE_CALL && socket.getChannel() == null) {
                Calls.endsByItself();
            } else {
                Calls.endsByItselfInTurn();
            }
        }
    }

    /** Reads into the middle of an array. */
    private int read(ByteBuffer buffer) throws IOException {
        if (!socket.isClosed()) {
            boundedByTimeout();
        }
        byte[] bytes = new byte[MARGIN + buffer.remaining() + MARGIN];
        int n = socket.getInputStream().read(bytes, MARGIN, buffer.remaining());
        if (n > 0) {
            buffer.put(bytes, MARGIN, n);
        }
        byte[] behind = Arrays.copyOfRange(bytes, MARGIN + Math.max(n, 0), bytes.length);
        if (!Arrays.equals(behind, new byte[behind.length])) {
            throw new IllegalStateException("read: touched bytes behind those it returned");
        }
        return n;
    }

    private int write(ByteBuffer buffer) throws IOException {
        byte[] bytes = new byte[MARGIN + buffer.remaining() + MARGIN];
        int length = buffer.remaining();
        buffer.get(bytes, MARGIN, length);
        socket.getOutputStream().write(bytes, MARGIN, length);
        return length;
    }

    private String state() {
        return (socket.isBound() ? "bound" : "unbound")
                + (socket.isConnected() ? " connected" : "")
                + (socket.isClosed() ? " closed" : "")
                + (socket.isInputShutdown() ? " shutin" : "")
                + (socket.isOutputShutdown() ? " shutout" : "")
                + " " + socket.getLocalSocketAddress() + " " + socket.getRemoteSocketAddress() + " " + socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
