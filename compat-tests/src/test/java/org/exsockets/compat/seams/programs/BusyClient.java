package org.exsockets.compat.seams.programs;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads what {@link BusyServer} writes, to the end of each connection, and checks it. Says {@code reading} when something has
 * come on all of them; at the end of each, {@code received}, how many bytes, and how it ended.
 */
public final class BusyClient {
    private static final long ENOUGH = 100_000;

    private BusyClient() {}

    /** @param args the server's ports */
    public static void main(String[] args) throws Exception {
        ExecutorService readers = Executors.newCachedThreadPool();
        List<Callable<String>> streams = new ArrayList<>();
        List<Callable<String>> beginnings = new ArrayList<>();
        for (int i = 0; i < BusyServer.CONNECTIONS; i++) {
            int port = Integer.parseInt(args[i % 2]);
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            beginnings.add(() -> read(in, 0, ENOUGH));
            streams.add(() -> read(in, ENOUGH, Long.MAX_VALUE));
        }
        for (Future<String> beginning : readers.invokeAll(beginnings)) {
            if (!beginning.get().isEmpty()) {
                throw new IOException("ended too soon: " + beginning.get());
            }
        }
        System.out.println("reading " + streams.size());
        for (Future<String> end : readers.invokeAll(streams)) {
            System.out.println("received " + end.get());
        }
        readers.shutdown();
    }

    /** {@return how it ended; empty if {@code end} was reached} */
    private static String read(DataInputStream in, long begin, long end) throws IOException {
        long next = begin;
        String farewell = "";
        try {
            while (next < end) {
                long counter = in.readLong();
                if (counter == BusyServer.FAREWELL) {
                    farewell = " after the farewell";
                } else if (counter != next || !farewell.isEmpty()) {
                    throw new IllegalStateException("not what was written: " + counter + ", expected " + next);
                } else {
                    next++;
                }
            }
            return "";
        } catch (EOFException e) {
            return next * Long.BYTES + " end of stream" + farewell;
        } catch (IOException e) {
            return next * Long.BYTES + " " + e.getMessage() + farewell;
        }
    }
}
