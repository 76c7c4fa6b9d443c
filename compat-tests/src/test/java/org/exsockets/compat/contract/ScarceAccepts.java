package org.exsockets.compat.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.Descriptors;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.PeerProgram;
import org.exsockets.compat.harness.TestHost;

/**
 * Accepts connections with few descriptors left. Arguments: {@code listen FACE}, which returns the port; or {@code accept
 * FREE}, which leaves so many descriptors free and accepts, once more with enough of them if that fails, answers a byte, and
 * returns how the first accept ended; or {@code answer}, which answers a byte of the latest connection without a descriptor
 * being left, and returns whether it came in time; or {@code close}, which closes all connections in the same way.
 */
public final class ScarceAccepts implements PeerProgram {
    /** Long enough for a thread to fall asleep, which may take a descriptor. */
    private static final int IN_VAIN_MS = 50;

    private static final List<Socket> OPEN = new ArrayList<>();

    private static ServerSocket listener;

    @Override
    public synchronized String run(String[] arguments) throws Exception {
        return switch (arguments[0]) {
            case "listen" -> listen(Face.valueOf(arguments[1]));
            case "accept" -> accept(Integer.parseInt(arguments[1]));
            case "answer" -> answer(OPEN.get(OPEN.size() - 1));
            default -> close();
        };
    }

    private static String answer(Socket connection) throws IOException {
        InputStream in = connection.getInputStream();
        OutputStream out = connection.getOutputStream();
        try (Descriptors descriptors = new Descriptors()) {
            descriptors.take();
            connection.setSoTimeout(IN_VAIN_MS);
            out.write(in.read());
            return "answered";
        } catch (SocketTimeoutException e) {
            return "none came";
        }
    }

    private static String close() throws IOException {
        try (Descriptors descriptors = new Descriptors()) {
            descriptors.take();
            for (Socket connection : OPEN) {
                connection.close();
            }
        }
        OPEN.clear();
        return "";
    }

    private static String listen(Face face) throws IOException {
        // A channel's adaptor accepts as the channel does.
        listener = face == Face.NET
                ? new ServerSocket()
                : ServerSocketChannel.open().socket();
        listener.bind(TestHost.address(0));
        return Integer.toString(listener.getLocalPort());
    }

    private static String accept(int free) throws IOException {
        Socket accepted = null;
        String first = "accepted";
        try (Descriptors descriptors = new Descriptors()) {
            descriptors.take();
            descriptors.give(free);
            accepted = listener.accept();
        } catch (IOException e) {
            first = e.getMessage();
        }
        if (accepted == null) {
            accepted = listener.accept();
        }
        OPEN.add(accepted);
        InputStream in = accepted.getInputStream();
        OutputStream out = accepted.getOutputStream();
        out.write(in.read());
        return first;
    }
}
