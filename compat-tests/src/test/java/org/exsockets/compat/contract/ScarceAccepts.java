package org.exsockets.compat.contract;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
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
 * returns how the first accept ended; or {@code close}, which closes all connections without a
 * descriptor being left.
 */
public final class ScarceAccepts implements PeerProgram {
    private static final List<Closeable> OPEN = new ArrayList<>();

    private static ServerSocket listener;

    @Override
    public synchronized String run(String[] arguments) throws Exception {
        return switch (arguments[0]) {
            case "listen" -> listen(Face.valueOf(arguments[1]));
            case "accept" -> accept(Integer.parseInt(arguments[1]));
            default -> close();
        };
    }

    private static String close() throws IOException {
        try (Descriptors descriptors = new Descriptors()) {
            descriptors.take();
            for (Closeable connection : OPEN) {
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
