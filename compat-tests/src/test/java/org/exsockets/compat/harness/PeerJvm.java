package org.exsockets.compat.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A second JVM that runs {@link PeerMain} with the same transport as this one. Two daemon threads read what it
 * prints. It lives until {@link #close}, or until a test makes it exit or kills it. Any thread may use it.
 */
public final class PeerJvm implements AutoCloseable {
    /** What the exit code of a process is beyond, of the signal that has ended it. */
    private static final int SIGNALLED = 128;

    private final Process process;
    private final PrintStream commands;
    private final Thread outReader;
    private final Thread errReader;
    private final StringBuffer errors = new StringBuffer();
    private final AtomicLong sequence = new AtomicLong();
    private final Map<String, CompletableFuture<String>> pending = new ConcurrentHashMap<>();

    /** Written and read by those who ask what remains. */
    private int endsMadeLooking;

    private PeerJvm(Process process) {
        this.process = process;
        this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.errReader = reader(
                "peer-err",
                process.getErrorStream(),
                line -> errors.append(line).append('\n'),
                () -> {});
        this.outReader = reader("peer-out", process.getInputStream(), this::onReply, this::failPending);
    }

    /** Starts a peer with the transport under test. */
    public static PeerJvm start() throws IOException {
        return start(Transport.peerArguments());
    }

    /** Starts a peer with the given JVM arguments and nothing else. */
    public static PeerJvm start(List<String> jvmArguments) throws IOException {
        return start(List.of(), jvmArguments);
    }

    /**
     * Starts a peer by another command.
     *
     * @param launcher a command that becomes the one that is appended to it, by {@code exec}
     */
    public static PeerJvm start(List<String> launcher, List<String> jvmArguments) throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(TestHost.arguments());
        command.add("-cp");
        command.add(classes().toString());
        command.add(PeerMain.class.getName());
        return new PeerJvm(new ProcessBuilder(command).start());
    }

    /** {@return the classes of this project's tests} */
    public static Path classes() {
        try {
            return Path.of(PeerMain.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public PeerListener listen(Face face) throws IOException {
        return listen(face, TestHost.NAME, 50);
    }

    public PeerListener listen(Face face, String host, int backlog) throws IOException {
        String name = newName();
        return new PeerListener(this, name, Integer.parseInt(await(send("listen", name, face, host, backlog))));
    }

    /** Starts to connect and returns at once. */
    public PeerSocket connect(Face face, String host, int port) throws IOException {
        String name = newName();
        return new PeerSocket(this, name, send("connect", name, face, host, port));
    }

    /** Starts a program in the process and returns at once; what it returns is awaited by {@link #await}. */
    public CompletableFuture<String> run(Class<? extends PeerProgram> program, Object... arguments) throws IOException {
        return runOn(newName(), program, arguments);
    }

    /**
     * Starts a program on a thread of the process that has a name, and returns at once. What is started on one thread runs
     * in order.
     *
     * @param thread a name without spaces; its first use makes the thread
     */
    public CompletableFuture<String> runOn(String thread, Class<? extends PeerProgram> program, Object... arguments)
            throws IOException {
        List<Object> words = new ArrayList<>(List.of(program.getName()));
        words.addAll(List.of(arguments));
        return send("program", thread, words.toArray());
    }

    public long pid() {
        return process.pid();
    }

    /** Closes everything that is open in the process. */
    public void closeAll() throws IOException {
        await(send("closeall", "-"));
    }

    /** Closes everything that is open in the process and returns what is left there then; empty if nothing is. */
    public String remains() throws IOException {
        String[] answer = await(send("remains", "-")).split(" ", 2);
        endsMadeLooking = Integer.parseInt(answer[0]);
        return answer[1];
    }

    /**
     * {@return how many ends of connections {@link #remains} has made in the process} It makes some if something is left at its
     * first look, and the process counts them as those of any program.
     */
    public int endsMadeLooking() {
        return endsMadeLooking;
    }

    /** Ends the process by {@code System.exit}. */
    public void exit() throws IOException {
        await(send("exit", "-"));
        awaitEnd();
    }

    /** Ends the process by {@code Runtime.halt}. */
    public void halt() throws IOException {
        await(send("halt", "-"));
        awaitEnd();
    }

    /** Ends the process by returning from {@code main}. */
    public void returnFromMain() throws IOException {
        await(send("return", "-"));
        awaitEnd();
    }

    /** Kills the process with SIGKILL and does not wait. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Stops the process where it is (SIGSTOP), until {@link #resume}; all its threads stand still then. */
    public void stop() throws IOException {
        signal("STOP");
        long deadlineNs = Patience.deadlineNs();
        while (!standsStill()) {
            if (!process.isAlive()) {
                throw new IOException("peer: has ended: pid=" + process.pid());
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw Patience.expired("the peer stops", Patience.CALL_SECONDS);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** {@return whether each of its threads is in state T: proc_pid_stat(5), behind the name in parentheses} */
    private boolean standsStill() throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path task : tasks) {
                String stat = Files.readString(task.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException ended) {
            return false;
        }
    }

    /** Lets a stopped process go on (SIGCONT). */
    public void resume() throws IOException {
        signal("CONT");
    }

    private void signal(String name) throws IOException {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IOException("peer: kill -" + name + " failed: pid=" + process.pid());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Waits until the process has ended and everything it printed has been read. */
    public void awaitEnd() throws IOException {
        try {
            Patience.await("the peer ends", process::waitFor);
            outReader.join();
            errReader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Tells whether the process has ended by a signal; one that has ended. */
    public boolean endedBy(int signal) {
        return process.exitValue() == SIGNALLED + signal;
    }

    /** Returns what the peer has printed on standard error so far. */
    public String errors() {
        return errors.toString();
    }

    /** Lets the peer end by itself; one that does not is killed. */
    @Override
    public void close() throws IOException {
        try (OutputStream ended = process.getOutputStream()) {
            ended.flush();
        } catch (IOException alreadyEnded) {
            // The pipe of a killed process cannot be flushed; the process is what matters.
        }
        try {
            awaitEnd();
        } finally {
            process.destroyForcibly();
        }
    }

    String newName() {
        return "n" + sequence.incrementAndGet();
    }

    CompletableFuture<String> send(String command, String name, Object... arguments) throws IOException {
        String id = Long.toString(sequence.incrementAndGet());
        CompletableFuture<String> answer = new CompletableFuture<>();
        pending.put(id, answer);
        StringBuilder line = new StringBuilder(id + " " + command + " " + name);
        for (Object argument : arguments) {
            line.append(' ').append(argument);
        }
        commands.println(line);
        if (!process.isAlive()) {
            failPending();
        }
        return answer;
    }

    /** Waits for an answer of a peer. */
    public static String await(CompletableFuture<String> answer) throws IOException {
        try {
            return Patience.get("the peer answers", answer);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PeerFailure) {
                PeerFailure failure = (PeerFailure) e.getCause();
                throw new PeerFailure(failure.thrownClass(), failure.thrownMessage());
            }
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Waits until a write of a peer is over, by its end or by that of its connection. */
    public static void awaitEnd(CompletableFuture<String> write) throws Exception {
        try {
            Patience.get("the write of the peer ends", write);
        } catch (ExecutionException ended) {
            if (!(ended.getCause() instanceof IOException)) {
                throw new AssertionError(ended.getCause());
            }
        }
    }

    private void onReply(String line) {
        String[] words = line.split(" ", 3);
        CompletableFuture<String> answer = pending.remove(words[0]);
        if (answer == null) {
            errors.append("unexpected output: ").append(line).append('\n');
        } else if (words[1].equals("ok")) {
            answer.complete(words[2]);
        } else {
            String[] thrown = words[2].split(" ");
            byte[] message = Base64.getDecoder().decode(thrown[1]);
            answer.completeExceptionally(new PeerFailure(thrown[0], new String(message, StandardCharsets.UTF_8)));
        }
    }

    private void failPending() {
        for (CompletableFuture<String> answer : pending.values()) {
            answer.completeExceptionally(new IOException("peer: ended: " + errors));
        }
    }

    private Thread reader(String name, InputStream in, Consumer<String> onLine, Runnable onEnd) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                        String line;
                        while ((line = lines.readLine()) != null) {
                            onLine.accept(line);
                        }
                    } catch (IOException ended) {
                        // A killed process breaks its pipes; its pending commands fail below.
                    }
                    onEnd.run();
                },
                name + "-" + process.pid());
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
