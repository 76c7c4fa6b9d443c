package org.exsockets.bench.e2e.endpoint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A child JVM's program: reads a command a line from standard input, answers each with one line that starts with {@link
 * #REPLY}, and ends at {@code quit} or at the end of input. Commands run on the main thread.
 *
 * <p>Commands: {@code hello}; {@code listen kind=… …} (server) or {@code dial kind=… port=… …} (client), which prepare
 * a side; {@code open}, which accepts or connects; {@code round seconds=…}; {@code close}; {@code quit}.
 */
public final class Endpoint {
    /** What a reply begins with; every other line of output is for human readers. */
    public static final String REPLY = "@";

    private final PrintStream replies;
    private Side side;

    private Endpoint(PrintStream replies) {
        this.replies = replies;
    }

    public static void main(String[] args) throws IOException {
        endWithParent();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Endpoint endpoint = new Endpoint(System.out);
        String line = commands.readLine();
        while (line != null && !line.equals("quit")) {
            endpoint.answer(Fields.parse(line));
            line = commands.readLine();
        }
    }

    /** A child in a round reads no standard input: it would outlive a killed parent, perhaps spinning. */
    private static void endWithParent() {
        ProcessHandle.current()
                .parent()
                .ifPresent(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    }

    private void answer(Fields command) {
        Fields reply;
        try {
            reply = run(command);
        } catch (IOException | RuntimeException | LinkageError failure) {
            failure.printStackTrace();
            reply = new Fields("failed").with("by", failure.getClass().getSimpleName());
        }
        replies.println(REPLY + reply);
        replies.flush();
    }

    private Fields run(Fields command) throws IOException {
        switch (command.verb()) {
            case "hello":
                return new Fields("ok")
                        .with("thread", CpuClock.ownThread())
                        .with("java", System.getProperty("java.runtime.version"));
            case "listen":
                Side.Server server = Kind.valueOf(command.text("kind")).server(command);
                side = server;
                return new Fields("ok").with("port", server.port());
            case "dial":
                side = Kind.valueOf(command.text("kind")).client(command);
                return new Fields("ok");
            case "open":
                side.open();
                return new Fields("ok");
            case "round":
                return side.round(command.number("seconds"));
            case "close":
                side.close();
                side = null;
                return new Fields("ok");
            default:
                throw new IllegalArgumentException("bench command: unknown verb: " + command.verb());
        }
    }
}
