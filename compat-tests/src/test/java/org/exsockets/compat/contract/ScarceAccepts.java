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
 * returns how the first accept ended. Connections stay open.
 */
public final class ScarceAccepts implements PeerProgram {
    private static final List<Closeable> OPEN = new ArrayList<>();

    private static ServerSocket listener;

    @Override
    public synchronized String run(String[] arguments) throws Exception {
        return arguments[0].equals("listen")
                ? listen(Face.valueOf(arguments[1]))
                : accept(Integer.parseInt(arguments[1]));
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
