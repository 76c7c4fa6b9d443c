package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK itself builds on sockets: object streams, HTTP, RMI, transfers between files and channels. */
@Tag("usual")
class LibrariesContract extends Contract {
    /** A remote object of the RMI test. */
    public interface Adder extends Remote {
        int add(int a, int b) throws RemoteException;
    }

    private static final class LocalAdder implements Adder {
        @Override
        public int add(int a, int b) {
            return a + b;
        }
    }

    /** Else a client that nobody refers to any more keeps its thread for three seconds. */
    @BeforeAll
    static void haveClientsOfTheJdkEndSoon() {
        System.setProperty("jdk.internal.httpclient.selectorTimeout", "100");
    }

    @Test
    void objectsTravelThroughObjectStreams() throws Exception {
        SocketPair pair = socketPair();
        ObjectOutputStream out = new ObjectOutputStream(pair.client().getOutputStream());
        out.flush();
        ObjectInputStream in = new ObjectInputStream(pair.server().getInputStream());
        for (int i = 0; i < 50; i++) {
            Map<String, List<Integer>> sent = Map.of("key " + i, List.of(i, i + 1, i + 2));
            out.writeObject(sent);
            out.flush();
            assertEquals(sent, in.readObject());
        }
    }

    @Test
    void httpClientTalksToHttpServer() throws Exception {
        withHttpServer(base -> {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            for (int i = 0; i < 50; i++) {
                byte[] body = Pattern.bytes(i, 1 + i * 1000);
                HttpRequest request = HttpRequest.newBuilder(base)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build();
                HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
                assertEquals(200, response.statusCode());
                assertArrayEquals(body, response.body());
            }
        });
    }

    @Test
    void parallelHttpRequestsAreAnswered() throws Exception {
        withHttpServer(base -> {
            HttpClient client = HttpClient.newHttpClient();
            List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                HttpRequest request = HttpRequest.newBuilder(base)
                        .POST(HttpRequest.BodyPublishers.ofString("request " + i))
                        .build();
                responses.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            }
            for (int i = 0; i < 40; i++) {
                assertEquals("request " + i, responses.get(i).get().body());
            }
        });
    }

    @Test
    void urlConnectionTalksToHttpServer() throws Exception {
        withHttpServer(base -> {
            for (int i = 0; i < 20; i++) {
                HttpURLConnection connection = (HttpURLConnection) base.toURL().openConnection();
                connection.setDoOutput(true);
                connection.getOutputStream().write(Pattern.bytes(0, 5000));
                assertEquals(200, connection.getResponseCode());
                assertArrayEquals(
                        Pattern.bytes(0, 5000), connection.getInputStream().readAllBytes());
                if (i == 19) {
                    connection.disconnect(); // Else the JDK keeps it for five seconds.
                }
            }
        });
    }

    @Test
    void remoteMethodsAreInvoked() throws Exception {
        // RMI keeps idle connections for 15 s otherwise, and a listener on a port of its own choice for ever.
        System.setProperty("sun.rmi.transport.connectionTimeout", "1000");
        int port = unusedAddress().getPort();
        Registry registry = LocateRegistry.createRegistry(port);
        LocalAdder adder = new LocalAdder();
        try {
            Adder exported = (Adder) UnicastRemoteObject.exportObject(adder, port);
            registry.rebind("adder", exported);
            Adder stub = (Adder) registry.lookup("adder");
            for (int i = 0; i < 200; i++) {
                assertEquals(2 * i + 1, stub.add(i, i + 1));
            }
        } finally {
            unexport(adder);
            unexport(registry);
        }
    }

    @Test
    void fileIsTransferredToAChannel(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("source"), Pattern.bytes(0, 1_000_000));
        ChannelLink link = connectedChannel();
        var read = link.remote().startRead(1_000_000);
        try (FileChannel source = FileChannel.open(file, StandardOpenOption.READ)) {
            long at = 0;
            while (at < 1_000_000) {
                at += source.transferTo(at, 1_000_000 - at, link.local());
            }
        }
        assertEquals("1000000", PeerJvm.await(read));
    }

    @Test
    void channelIsTransferredToAFile(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("target");
        ChannelLink link = connectedChannel();
        link.remote().startWrite(1_000_000);
        try (FileChannel target = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long at = 0;
            while (at < 1_000_000) {
                at += target.transferFrom(link.local(), at, 1_000_000 - at);
            }
        }
        assertArrayEquals(Pattern.bytes(0, 1_000_000), Files.readAllBytes(file));
    }

    @Test
    void keptAliveHttpConnectionSurvivesIdling() throws Exception {
        withHttpServer(base -> {
            try (Socket socket = new Socket(base.getHost(), base.getPort())) {
                for (int i = 0; i < 3; i++) {
                    socket.getOutputStream()
                            .write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc".getBytes("US-ASCII"));
                    StringBuilder response = new StringBuilder();
                    while (!response.toString().endsWith("\r\n\r\nabc")) {
                        int b = socket.getInputStream().read();
                        assertTrue(b >= 0, response.toString());
                        response.append((char) b);
                    }
                    assertTrue(response.toString().startsWith("HTTP/1.1 200"), response.toString());
                }
            }
        });
    }

    /** A test body that is given the address of an HTTP server which answers with what it was sent. */
    private interface HttpTest {
        void run(URI base) throws Exception;
    }

    private static void withHttpServer(HttpTest test) throws Exception {
        HttpServer server = HttpServer.create(testAddress(0), 50);
        ExecutorService workers = Executors.newFixedThreadPool(4);
        server.setExecutor(workers);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            test.run(URI.create(
                    "http://" + TestHost.NAME + ":" + server.getAddress().getPort() + "/"));
        } finally {
            server.stop(0);
            workers.shutdownNow();
        }
    }

    private static void unexport(Remote remote) throws NoSuchObjectException {
        UnicastRemoteObject.unexportObject(remote, true);
    }
}
