package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.agent.programs.Hold;
import org.exsockets.agent.programs.Monitored;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a monitor sees of the program by JMX. */
class JmxIT {
    /** The example configuration of docs/usage.md. */
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    private static final Path USAGE = Path.of("..", "docs", "usage.md");

    @TempDir
    Path directory;

    @OnEachJdk
    void whoeverMakesThePlatformsServerFindsTheSocketsThere(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).agent(TestJars.agent()).run(Monitored.class, "make");
        assertEquals("", outcome.err());
        assertEquals(Monitored.EXPECTED, outcome.out());
    }

    @OnEachJdk
    void theServerIsMadeIfThatIsWanted(Path jdk) {
        ChildJvm.Outcome outcome =
                ChildJvm.of(jdk).agent(TestJars.agent(), "jmx=true").run(Monitored.class, "await");
        assertEquals("", outcome.err());
        assertEquals(Monitored.EXPECTED, outcome.out());
    }

    @Test
    void theExporterOfPrometheusTakesTheAttributesAsTheyAre() throws Exception {
        Optional<String> exporter = exporter();
        assumeTrue(exporter.isPresent(), "it is not on the class path of other systems");
        Matcher example = EXAMPLE.matcher(Files.readString(USAGE));
        assertTrue(example.find());
        Path config = Files.writeString(directory.resolve("exs.yaml"), example.group(1));
        int port = freePort();
        Process program = ChildJvm.of(Path.of(System.getProperty("java.home")))
                .jvm("-javaagent:" + exporter.get() + "=" + port + ":" + config)
                .startWithAgent(Hold.class);
        try {
            program.inputReader().readLine();
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics"))
                    .build();
            String metrics;
            do { // The test's limit bounds this: it is a matter of seconds. This client's connections are fallbacks.
                metrics = client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
            } while (!metrics.contains("exs_fallbacks_total"));
            assertTrue(value(metrics, "exs_connections_total{device=\"Soft\"") >= 2, metrics);
            assertTrue(value(metrics, "exs_bytes_total{direction=\"Sent\",path=\"Indirect\"") >= 1_500, metrics);
            assertTrue(value(metrics, "exs_open_connections") >= 2, metrics);
            assertTrue(value(metrics, "exs_fallbacks_total{reason=\"peer-plain\"") >= 1, metrics);
        } finally {
            program.destroyForcibly().waitFor();
        }
    }

    private static double value(String metrics, String beginning) {
        String line = metrics.lines()
                .filter(each -> each.startsWith(beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError(beginning + " is not in " + metrics));
        return Double.parseDouble(line.substring(line.lastIndexOf(' ')).toLowerCase(Locale.ROOT));
    }

    private static Optional<String> exporter() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.contains("jmx_prometheus_javaagent"))
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
