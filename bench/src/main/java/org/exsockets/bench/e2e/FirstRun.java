package org.exsockets.bench.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.FirstTalk;
import org.exsockets.bench.e2e.endpoint.HelloWorld;
import org.exsockets.bench.e2e.endpoint.IdleAgent;

/**
 * The rows of programs that live for their first seconds only: in each round every contender starts a client anew, and
 * a server, unless the program is alone. One more start of each, before the rounds, counts classes and compilations,
 * and proves EXS. Used by the parent's main thread.
 */
final class FirstRun {
    static final String IDLE_AGENT = "idle agent";
    static final String NO_DEVICE = "device=none";

    /** In a row's spec: the class of a program without a server. */
    static final String ALONE = "alone";

    /** In a row's spec: the class of a server and its client that need no further arguments. */
    static final String PAIR = "pair";

    /** Starts vary more than rounds do. */
    private static final int STARTS_PER_ROUND = 3;

    private static final long LIMIT_SECONDS = 60;
    private static final double NS_PER_TICK = 10_000_000;

    /** User and system time of children that have ended, among the words behind the name in /proc/self/stat. */
    private static final int CHILDREN_USER = 13;

    private static final int CHILDREN_SYSTEM = 14;

    private static Path idleAgentJar;

    private final Transport transport;
    private final Comparison.Settings settings;
    private final Fields spec;

    private FirstRun(Transport transport, Comparison.Settings settings, Fields spec) {
        this.transport = transport;
        this.settings = settings;
        this.spec = spec;
    }

    /**
     * {@return those that run in such rows: the baseline first and the subject last, between them what tells apart the
     * start of any agent, that of ours, and its connections}
     */
    static List<Transport> contenders(List<Transport> transports) throws IOException {
        Transport baseline = transports.get(0);
        Transport subject = transports.get(transports.size() - 1);
        List<String> none = new ArrayList<>(subject.jvmArgs());
        none.add("-Dexs.device=none");
        List<Transport> all = new ArrayList<>(List.of(baseline));
        if (baseline.isExs()) {
            all.add(new Transport("TCP", null, List.of()));
        }
        all.add(new Transport(IDLE_AGENT, null, List.of("-javaagent:" + idleAgentJar())));
        all.add(new Transport(NO_DEVICE, subject.agentJar(), none));
        all.add(subject);
        return all;
    }

    static void run(RowResult result, List<Transport> transports, Comparison.Settings settings, StatsProof proof)
            throws IOException {
        Map<Transport, Counts> counts = new HashMap<>();
        List<Transport> able = contenders(transports);
        Fields spec = result.row().spec();
        attempt(result, able, transport -> {
            boolean proves = transport.isExs() && !transport.label().equals(NO_DEVICE) && !spec.has(ALONE);
            counts.put(transport, new FirstRun(transport, settings, spec).count(proves ? proof : null));
        });
        for (int round = 0; round < settings.rounds() * STARTS_PER_ROUND; round++) {
            attempt(result, able, transport -> {
                Sample sample = new FirstRun(transport, settings, spec).start(List.of(), List.of());
                if (settings.verbose()) {
                    System.err.println(transport.label() + ": " + sample);
                }
                result.add(transport, counts.get(transport).addTo(sample));
            });
            able.add(able.remove(0));
        }
    }

    private static void attempt(RowResult result, List<Transport> able, Step step) throws IOException {
        for (Transport transport : List.copyOf(able)) {
            try {
                step.run(transport);
            } catch (EndpointFailure failure) {
                able.remove(transport);
                result.fail(transport, failure.getMessage());
            }
        }
    }

    private interface Step {
        void run(Transport transport) throws IOException, EndpointFailure;
    }

    /** @param proof takes what the processes say about their connections; or null */
    private Counts count(StatsProof proof) throws IOException, EndpointFailure {
        Path directory = Files.createTempDirectory("exs-bench");
        List<Path> logs = new ArrayList<>();
        List<Path> stats = new ArrayList<>();
        List<List<String>> arguments = new ArrayList<>();
        for (String side : new String[] {"client", "server"}) {
            Path log = directory.resolve(side + ".log");
            logs.add(log);
            List<String> own = new ArrayList<>(
                    List.of("-Xlog:class+load=info,jit+compilation=debug:file=" + log + "::filecount=0"));
            if (proof != null) {
                stats.add(directory.resolve(transport.label() + "-" + side + ".json"));
                own.add("-Dexs.stats=" + stats.get(stats.size() - 1));
            }
            arguments.add(own);
        }
        start(arguments.get(0), arguments.get(1));
        Counts counts = new Counts();
        for (Path log : logs) {
            if (Files.exists(log)) {
                try (BufferedReader lines = Files.newBufferedReader(log)) {
                    lines.lines().forEach(counts::line);
                }
            }
        }
        if (proof != null) {
            proof.take(transport, stats);
        }
        for (Path file : logs) {
            Files.deleteIfExists(file);
        }
        for (Path file : stats) {
            Files.deleteIfExists(file);
        }
        Files.delete(directory);
        return counts;
    }

    /** Runs the client from start to end, and the server before and after. */
    private Sample start(List<String> clientArguments, List<String> serverArguments)
            throws IOException, EndpointFailure {
        double cpuNs = childrenNs();
        Child server = null;
        Child client = null;
        try {
            String port = "";
            if (!spec.has(ALONE)) {
                server = child("server", serverArguments, List.of(pair(), "server"));
                port = reply(server).text("port");
            }
            long startNs = System.nanoTime();
            client = child("client", clientArguments, program(port));
            client.awaitEnd(LIMIT_SECONDS);
            Map<String, Double> figures = new TreeMap<>(Map.of("elapsedNs", (double) (System.nanoTime() - startNs)));
            if (server != null) {
                reply(client).values().forEach((name, value) -> figures.put(name, Double.valueOf(value)));
                if (!server.quit(LIMIT_SECONDS)) {
                    throw new EndpointFailure(transport.label() + " server did not end");
                }
            }
            figures.put("cpuNs", childrenNs() - cpuNs);
            return Sample.of(figures);
        } finally {
            kill(client);
            kill(server);
        }
    }

    private String pair() {
        return spec.has(PAIR) ? spec.text(PAIR) : FirstTalk.class.getName();
    }

    private List<String> program(String port) {
        if (spec.has(ALONE)) {
            return List.of(spec.text(ALONE));
        }
        List<String> program = new ArrayList<>(List.of(pair(), "client", port));
        if (!spec.has(PAIR)) {
            for (String argument : List.of("threads", "exchanges", "connectEach", "size")) {
                program.add(spec.text(argument));
            }
        }
        return program;
    }

    private Child child(String role, List<String> arguments, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(transport.prefix());
        command.addAll(List.of(settings.java(), "-cp", System.getProperty("java.class.path")));
        if (transport.isExs()) {
            command.add("-javaagent:" + transport.agentJar());
        }
        command.addAll(transport.jvmArgs());
        command.addAll(arguments);
        command.addAll(program);
        return new Child(transport.label() + " " + role, command, spec.has(ALONE) ? HelloWorld.LINE : null);
    }

    private Fields reply(Child child) throws EndpointFailure {
        Fields reply = child.poll(TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
        if (reply == null) {
            throw new EndpointFailure(transport.label() + " did not answer within " + LIMIT_SECONDS + " s");
        }
        return reply;
    }

    private static void kill(Child child) {
        if (child != null) {
            child.kill();
        }
    }

    /** {@return CPU time of this process's children that have ended, in steps of 10 ms} */
    private static double childrenNs() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return NS_PER_TICK * (Long.parseLong(afterName[CHILDREN_USER]) + Long.parseLong(afterName[CHILDREN_SYSTEM]));
    }

    /** {@return a jar with an agent that does nothing, made once and gone at the end of this JVM} */
    static synchronized Path idleAgentJar() throws IOException {
        if (idleAgentJar == null) {
            Path jar = Files.createTempFile("exs-bench-idle-agent", ".jar");
            jar.toFile().deleteOnExit();
            Manifest manifest = new Manifest();
            manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            manifest.getMainAttributes().putValue("Premain-Class", IdleAgent.class.getName());
            String entry = IdleAgent.class.getName().replace('.', '/') + ".class";
            try (OutputStream file = Files.newOutputStream(jar);
                    JarOutputStream out = new JarOutputStream(file, manifest);
                    InputStream agent = IdleAgent.class.getClassLoader().getResourceAsStream(entry)) {
                out.putNextEntry(new JarEntry(entry));
                agent.transferTo(out);
            }
            idleAgentJar = jar;
        }
        return idleAgentJar;
    }

    /** What the logs of a client and its server count, together. */
    static final class Counts {
        private static final String ARCHIVED = "source: shared objects file";

        private int ours;
        private int jdks;
        private int compiled;

        /** Counts a line of {@code -Xlog:class+load=info,jit+compilation=debug}. */
        void line(String line) {
            String text = line.substring(line.indexOf("] ") + 1).trim();
            if (line.contains("[class,load")) {
                if (text.startsWith("org.exsockets.")) {
                    ours += text.startsWith("org.exsockets.bench.") ? 0 : 1;
                } else if (!text.contains(ARCHIVED)) {
                    jdks++;
                }
            } else if (line.contains("[jit,compilation") && !text.contains("made not") && !text.contains(" n ")) {
                compiled++;
            }
        }

        Sample addTo(Sample sample) {
            return sample.with("agentClasses", ours).with("jdkClasses", jdks).with("compiledMethods", compiled);
        }
    }
}
