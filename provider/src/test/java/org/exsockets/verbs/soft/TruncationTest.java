package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.memory.SharedMapping;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process of the same user truncates what is shared: connections end, and let go of everything. In a JVM of its own, which
 * a wrong access ends.
 */
class TruncationTest {
    /** A JDK that was seen to tell of each access at once. */
    private static final int PROMPT = 25;

    private static final InetAddress HOST = InetAddress.getLoopbackAddress();
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 8, 1, 1);

    @ParameterizedTest
    @ValueSource(strings = {"port", "connection", "arena"})
    void whatIsTruncatedEndsNeitherTheJvmNorACall(String what) throws Exception {
        assumeTrue(Runtime.version().feature() >= PROMPT, "JDK 17 tells of an access later, out of any call");
        try (MemoryFileSystem memory = MemoryFileSystem.create()) {
            Process jvm = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xint",
                            "-XX:-CreateCoredumpOnCrash",
                            "-XX:ErrorFile=" + memory.root().resolve("crash"),
                            "-cp",
                            System.getProperty("java.class.path"),
                            TruncationTest.class.getName(),
                            what,
                            memory.root().toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(jvm.getInputStream().readAllBytes());
            assertEquals(0, jvm.waitFor(), output);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "port" -> port(root);
            case "connection" -> connection(root);
            default -> arena(root);
        }
    }

    private static void port(Path root) throws IOException {
        Path file = root.resolve("s1");
        Segment segment = new Segment("s1", SharedMapping.create(file, SegmentDescriptor.length(8, 4096)), 8, 4096, 0);
        segment.format();
        segment.reset(1);
        ByteBuffer memory = segment.mapping().memory();
        truncate(file);
        for (boolean isA : new boolean[] {true, false}) {
            ClientPort asked = new ClientPort(memory, isA, HOST, 7801);
            InetSocketAddress told = asked.address();
            assertTrue(told.getPort() > 0);
            asked.end();
            assertEquals(told, asked.address());
            ClientPort ended = new ClientPort(memory, isA, HOST, 7801);
            ended.end();
            assertTrue(ended.address().getPort() > 0);
        }
    }

    private static void connection(Path root) throws IOException {
        SoftDevice device = new SoftDevice(root);
        try (ServerSocket port = new ServerSocket(0, 0, HOST);
                DeviceListener listener =
                        device.listen((InetSocketAddress) port.getLocalSocketAddress(), false, 5, PARAMETERS)) {
            Endpoint a = device.connect(
                    new InetSocketAddress(HOST, 0), (InetSocketAddress) port.getLocalSocketAddress(), PARAMETERS);
            Endpoint b = listener.tryAccept();
            truncate(only(root, "s"));
            a.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            assertEquals(
                    CompletionChannel.HANGUP, b.queuePair().completionChannel().drain() & CompletionChannel.HANGUP);
            b.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            b.release();
            a.release();
        }
        device.close();
    }

    private static void arena(Path root) throws IOException {
        if (!NativeMemory.available()) {
            return;
        }
        Arenas arenas = new Arenas(SoftDirectory.open(root));
        ByteBuffer buffer = arenas.allocate(1);
        truncate(only(root, "a"));
        arenas.removeNames();
        arenas.free(buffer);
    }

    private static Path only(Path root, String letter) throws IOException {
        try (Stream<Path> files =
                Files.list(root.resolve("exs-" + ProcessIdentity.own().uid()))) {
            List<Path> found = files.filter(
                            file -> file.getFileName().toString().startsWith(letter))
                    .toList();
            assertEquals(1, found.size());
            return found.get(0);
        }
    }

    private static void truncate(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }
}
