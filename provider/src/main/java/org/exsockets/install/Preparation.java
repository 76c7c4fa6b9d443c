package org.exsockets.install;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.exsockets.config.Face;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;

/**
 * Loads the classes of a first connection, in a thread of its own that then ends, once the program listens: there is
 * time before its first client comes. Not at a client's first connect, which needs them at once.
 *
 * <p>Initializes none of them. Two threads that begin at different places of a circle of initializers would wait for
 * each other for ever.
 */
final class Preparation implements Consumer<Face> {
    private static final String THREAD = "exs-preparation";

    /** {@return the resource that names them, one in each line, in the order of use} {@code FirstClassesIT} makes it. */
    static String list(Face face) {
        return face == Face.NET ? "first-classes-of-sockets" : "first-classes-of-channels";
    }

    /** Begins; waits for no class. Any thread. */
    @Override
    public void accept(Face listening) {
        try {
            Threads.daemon(THREAD, new Loading(list(listening))).start();
        } catch (OutOfMemoryError e) {
            Log.debug("preparation: no thread: " + e);
        }
    }

    private record Loading(String list) implements Runnable {
        @Override
        public void run() {
            try (InputStream in = Preparation.class.getResourceAsStream(list)) {
                if (in != null) {
                    load(new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII)));
                }
            } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
                // What is left is loaded when it is used, where a failure counts.
                Log.debug("preparation: ends: " + e);
            }
        }

        /** A security manager of the program's would be asked for each. */
        private static void load(BufferedReader names) throws IOException, ClassNotFoundException {
            for (String name; (name = names.readLine()) != null && !SecurityManagers.present(); ) {
                // Members are shown of classes that are linked: verified, without which half of the time would be left.
                Object unused = Class.forName(name, false, Preparation.class.getClassLoader())
                        .getDeclaredConstructors();
            }
        }
    }
}
