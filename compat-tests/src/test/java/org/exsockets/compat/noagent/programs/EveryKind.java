package org.exsockets.compat.noagent.programs;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Waits in one selector until a pipe, a datagram channel, a Unix-domain and a TCP connection are readable, then closes
 * 3,000 registered pipes. Prints {@code kinds=} readable channels, {@code pipe=} the package of the pipe's class,
 * {@code descriptors=} how many more of pipes are open at the end. The argument is a directory for the Unix-domain socket.
 */
public final class EveryKind {
    private EveryKind() {}

    public static void main(String[] args) throws Exception {
        Path name = Path.of(args[0], "every-kind");
        try (Selector selector = Selector.open()) {
            Pipe pipe = Pipe.open();
            System.out.println("pipe=" + pipe.getClass().getPackageName());
            DatagramChannel datagram = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
            ServerSocketChannel unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            unix.bind(UnixDomainSocketAddress.of(name));
            ServerSocketChannel tcp = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
            SocketChannel unixClient = SocketChannel.open(unix.getLocalAddress());
            SocketChannel tcpClient = SocketChannel.open(tcp.getLocalAddress());
            SelectableChannel[] readers = {pipe.source(), datagram, unix.accept(), tcp.accept()};
            for (SelectableChannel reader : readers) {
                reader.configureBlocking(false);
                reader.register(selector, SelectionKey.OP_READ);
            }
            pipe.sink().write(ByteBuffer.allocate(1));
            datagram.send(ByteBuffer.allocate(1), datagram.getLocalAddress());
            unixClient.write(ByteBuffer.allocate(1));
            tcpClient.write(ByteBuffer.allocate(1));
            Set<SelectionKey> readable = new HashSet<>();
            while (readable.size() < readers.length) {
                selector.select();
                readable.addAll(selector.selectedKeys());
                selector.selectedKeys().clear();
            }
            System.out.println("kinds=" + readable.size());
            System.out.println("descriptors=" + growth(selector));
        } finally {
            Files.deleteIfExists(name);
        }
    }

    /** {@return how many descriptors 3,000 pipes leave open} */
    private static int growth(Selector selector) throws Exception {
        closePipes(selector, 10);
        int before = openPipes();
        closePipes(selector, 3000);
        int after = openPipes();
        for (int looks = 0; after > before && looks < 100; looks++) {
            Thread.sleep(20);
            after = openPipes();
        }
        return Math.max(0, after - before);
    }

    /** Of pipes only: the JVM's threads, and the one that answers {@code ss}, open others when they get to it. */
    private static int openPipes() throws IOException {
        int pipes = 0;
        for (String name : new File("/proc/self/fd").list()) {
            try {
                Path target = Files.readSymbolicLink(Path.of("/proc/self/fd", name));
                pipes += target.toString().startsWith("pipe:") ? 1 : 0;
            } catch (NoSuchFileException closedMeanwhile) {
                // It was the list's own, or another thread's.
            }
        }
        return pipes;
    }

    private static void closePipes(Selector selector, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Pipe pipe = Pipe.open();
            pipe.source().configureBlocking(false).register(selector, SelectionKey.OP_READ);
            pipe.sink().configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
            if (i % 2 == 0) {
                selector.selectNow();
            }
            pipe.source().close();
            pipe.sink().close();
            if (i % 10 == 0) {
                selector.selectNow();
            }
        }
        selector.selectNow();
    }
}
