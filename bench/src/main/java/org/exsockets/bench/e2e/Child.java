package org.exsockets.bench.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.exsockets.bench.e2e.endpoint.Endpoint;
import org.exsockets.bench.e2e.endpoint.Fields;

/**
 * A child JVM seen from the parent. Commands go down its standard input; a thread reads its output, keeps the replies
 * and passes everything else on to standard error. Used by one thread at a time.
 */
final class Child {
    private static final String LAST_LINE_OF_DUMP = "JNI global ref";
    private static final int PROCESSOR_FIELD_AFTER_NAME = 36;

    private final String label;
    private final Process process;
    private final Writer commands;

    /** A line that the program is to print, which is not passed on; or null. */
    private final String expectedLine;

    private final BlockingQueue<Fields> replies = new LinkedBlockingQueue<>();
    private final CountDownLatch dumped = new CountDownLatch(1);
    private Path threadStat;

    Child(String label, List<String> command) throws IOException {
        this(label, command, null);
    }

    /** @param expectedLine of the output: not passed on; or null */
    Child(String label, List<String> command, String expectedLine) throws IOException {
        this.label = label;
        this.expectedLine = expectedLine;
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::readOutput, "output of " + label);
        reader.setDaemon(true);
        reader.start();
    }

    /** Learns which thread runs the rounds. */
    void onHello(Fields hello) {
        threadStat = Path.of("/proc", Long.toString(process.pid()), "task", hello.text("thread"), "stat");
    }

    void send(Fields command) throws EndpointFailure {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException gone) {
            throw new EndpointFailure(label + " is gone: " + gone.getMessage());
        }
    }

    /**
     * @return the next reply, or null if none came within the time
     * @throws EndpointFailure if the child reported a failure or ended
     */
    Fields poll(long timeoutNs) throws EndpointFailure {
        try {
            Fields reply = replies.poll(timeoutNs, TimeUnit.NANOSECONDS);
            if (reply == null && !process.isAlive() && replies.isEmpty()) {
                throw new EndpointFailure(label + " died: exit=" + process.exitValue());
            }
            if (reply != null && reply.verb().equals("failed")) {
                throw new EndpointFailure(label + " failed by " + reply.text("by"));
            }
            return reply;
        } catch (InterruptedException interrupted) {
            throw new EndpointFailure("interrupted while waiting for " + label);
        }
    }

    /** {@return the core on which the thread that runs the rounds was last seen, or -1} */
    int core() {
        try {
            String stat = Files.readString(threadStat);
            String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Integer.parseInt(afterName[PROCESSOR_FIELD_AFTER_NAME]);
        } catch (IOException ended) {
            return -1;
        }
    }

    /** Has the JVM print all its threads, which the reader passes on to standard error. */
    void dumpThreads() {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start();
            if (!dumped.await(5, TimeUnit.SECONDS)) {
                System.err.println(label + ": no thread dump within 5 s");
            }
        } catch (IOException | InterruptedException failure) {
            System.err.println(label + ": no thread dump: " + failure);
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Waits for the end of a program that ends by itself, and kills it if it does not. */
    void awaitEnd(long timeoutSeconds) throws EndpointFailure {
        try {
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                throw new EndpointFailure(label + " was not over within " + timeoutSeconds + " s");
            }
        } catch (InterruptedException interrupted) {
            throw new EndpointFailure("interrupted while waiting for " + label);
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new EndpointFailure(label + " ended: exit=" + process.exitValue());
        }
    }

    /** Asks the JVM to end. {@return whether it did so within the time} */
    boolean quit(long timeoutSeconds) {
        try {
            send(new Fields("quit"));
            return process.waitFor(timeoutSeconds, TimeUnit.SECONDS);
        } catch (EndpointFailure | InterruptedException failure) {
            return false;
        }
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            while (line != null) {
                onOutput(line);
                line = output.readLine();
            }
        } catch (IOException closed) {
            System.err.println(label + ": output ended: " + closed.getMessage());
        }
    }

    private void onOutput(String line) {
        if (line.startsWith(Endpoint.REPLY)) {
            replies.add(Fields.parse(line.substring(Endpoint.REPLY.length())));
            return;
        }
        if (line.equals(expectedLine)) {
            return;
        }
        System.err.println(label + ": " + line);
        if (line.startsWith(LAST_LINE_OF_DUMP)) {
            dumped.countDown();
        }
    }
}
