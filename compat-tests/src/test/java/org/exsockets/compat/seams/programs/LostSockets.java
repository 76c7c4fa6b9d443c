package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Loses sockets without closing them, and says what has become of their descriptors and of their peers. */
public final class LostSockets {
    private static final int TIMES = 10;
    private static final int LOOKS = 200;

    /** For what the platform keeps, too. */
    private static final int FEW_LOOKS = 20;

    private static final int LOOK_MS = 20;
    private static final int PEER_TIMEOUT_MS = 300;

    /** What a process may keep open besides, once: to sleep with. */
    private static final long ALLOWED = 4;

    private LostSockets() {}

    /** Loses one. {@return the other end, null if there is none} */
    private interface Loss {
        Socket lose(ServerSocket listener) throws IOException;
    }

    public static void main(String[] args) throws Exception {
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            say("connected", listener, LostSockets::loseConnected, LOOKS);
            say("accepted", listener, LostSockets::loseAccepted, LOOKS);
            say("unread", listener, LostSockets::loseUnread, LOOKS);
            say("abortive", listener, LostSockets::loseAbortive, LOOKS);
            say("listener", listener, LostSockets::loseListener, LOOKS);
            say("channel", listener, LostSockets::loseChannel, FEW_LOOKS);
            say("server channel", listener, LostSockets::loseServerChannel, FEW_LOOKS);
        }
    }

    private static Socket connect(ServerSocket listener) throws IOException {
        return new Socket(listener.getInetAddress(), listener.getLocalPort());
    }

    private static Socket loseConnected(ServerSocket listener) throws IOException {
        connect(listener).getOutputStream().write(7);
        return listener.accept();
    }

    private static Socket loseAccepted(ServerSocket listener) throws IOException {
        Socket client = connect(listener);
        listener.accept().getOutputStream().write(7);
        return client;
    }

    private static Socket loseUnread(ServerSocket listener) throws IOException {
        connect(listener).getOutputStream().write(7);
        Socket peer = listener.accept();
        peer.getOutputStream().write(8);
        return peer;
    }

    private static Socket loseAbortive(ServerSocket listener) throws IOException {
        Socket lost = connect(listener);
        lost.getOutputStream().write(7);
        lost.setSoLinger(true, 0);
        return listener.accept();
    }

    private static Socket loseListener(ServerSocket listener) throws IOException {
        new ServerSocket().bind(new InetSocketAddress(listener.getInetAddress(), 0));
        return null;
    }

    private static Socket loseChannel(ServerSocket listener) throws IOException {
        SocketChannel.open(listener.getLocalSocketAddress());
        return listener.accept();
    }

    private static Socket loseServerChannel(ServerSocket listener) throws IOException {
        ServerSocketChannel.open().bind(new InetSocketAddress(listener.getInetAddress(), 0));
        return null;
    }

    private static void say(String what, ServerSocket listener, Loss loss, int looks) throws Exception {
        long before = sockets();
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            Socket peer = loss.lose(listener);
            if (peer != null) {
                peers.add(peer);
            }
        }
        collectUntilAtMost(sockets() - TIMES, looks);
        List<String> seen = new ArrayList<>();
        for (Socket peer : peers) {
            seen.add(read(peer));
            peer.close();
        }
        boolean released = collectUntilAtMost(before + ALLOWED, looks);
        System.out.println("lost " + what + ": " + (released ? "released" : "kept") + ", peers "
                + seen.stream().distinct().toList());
    }

    private static boolean collectUntilAtMost(long wanted, int looks) throws IOException, InterruptedException {
        for (int i = 0; i < looks && sockets() > wanted; i++) {
            System.gc();
            Thread.sleep(LOOK_MS);
        }
        return sockets() <= wanted;
    }

    /** {@return the bytes that come, and how they end} */
    private static String read(Socket peer) throws IOException {
        StringBuilder seen = new StringBuilder();
        peer.setSoTimeout(PEER_TIMEOUT_MS);
        try {
            int n;
            while ((n = peer.getInputStream().read()) >= 0) {
                seen.append(n).append(' ');
            }
            return seen + "end";
        } catch (SocketException e) {
            return seen + e.getMessage();
        } catch (IOException stillOpen) {
            return seen + "open";
        }
    }

    private static long sockets() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(LostSockets::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
