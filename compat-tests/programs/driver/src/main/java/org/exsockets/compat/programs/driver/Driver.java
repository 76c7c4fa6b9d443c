package org.exsockets.compat.programs.driver;

import java.io.IOException;

/**
 * The frame of each driver's {@code main}. A JVM ends when its standard input does: a server after it has closed its
 * program, a client that is not done at once and with failure, so that none outlives who has started it.
 */
public final class Driver {
    private static final int FAILED = 1;

    private Driver() {}

    /** Starts a program's server. */
    @FunctionalInterface
    public interface Server {
        Running start() throws Exception;
    }

    /**
     * A server that serves.
     *
     * @param end stops it
     * @param arguments what its clients are to know, one word each: ports, as a rule
     */
    public record Running(AutoCloseable end, Object... arguments) {}

    /** What a client does, and checks. */
    @FunctionalInterface
    public interface Client {
        void work(Results results) throws Exception;
    }

    /** Starts a server, says so, serves until standard input ends, stops the server and ends the JVM. */
    public static void serve(Server server) {
        run(() -> {
            Running running = server.start();
            StringBuilder line = new StringBuilder("serving");
            for (Object argument : running.arguments()) {
                line.append(' ').append(argument);
            }
            System.out.println(line);
            awaitEndOfInput();
            running.end().close();
        });
    }

    /** Lets a client do its work, prints the results and ends the JVM. */
    public static void work(Client client) {
        Thread deserted = new Thread(
                () -> {
                    try {
                        awaitEndOfInput();
                    } catch (IOException e) {
                        e.printStackTrace();
                    }
                    Runtime.getRuntime().halt(FAILED);
                },
                "end of input");
        deserted.setDaemon(true);
        deserted.start();
        run(() -> {
            Results results = new Results();
            client.work(results);
            results.print(System.out);
        });
    }

    private interface Body {
        void run() throws Exception;
    }

    private static void run(Body body) {
        try {
            body.run();
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(FAILED);
        }
        System.exit(0);
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            continue;
        }
    }
}
