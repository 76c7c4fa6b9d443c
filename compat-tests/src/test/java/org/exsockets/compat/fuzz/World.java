package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.Transport;

/** Two processes, A and B, whose connections go over one transport. Used by one thread. */
final class World implements AutoCloseable {
    private final Transport transport;
    private final List<String> jvmArguments;
    private PeerJvm first;
    private PeerJvm second;

    /** Whether connections that a program has left say nothing about leaks, because a process was ended. */
    private boolean restarted;

    World(Transport transport, List<String> jvmArguments) throws IOException {
        this.transport = transport;
        this.jvmArguments = List.copyOf(jvmArguments);
        start();
    }

    private void start() throws IOException {
        first = PeerJvm.start(jvmArguments);
        second = PeerJvm.start(jvmArguments);
    }

    Transport transport() {
        return transport;
    }

    PeerJvm process(String name) {
        return name.equals("A") ? first : second;
    }

    List<PeerJvm> processes() {
        return List.of(first, second);
    }

    /** Ends both processes, whatever they do, and starts others. */
    void restart() throws IOException {
        restarted = true;
        kill();
        start();
    }

    private void kill() throws IOException {
        for (PeerJvm process : processes()) {
            process.kill();
            process.awaitEnd();
        }
    }

    /**
     * Ends both processes in order.
     *
     * @return what is wrong with them: what they left behind, what they printed; empty if nothing is
     */
    List<String> end() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (PeerJvm process : processes()) {
            String left = process.remains();
            if (!left.isEmpty()) {
                wrong.add("a process leaves behind: " + left);
            }
            process.close();
            if (!restarted) {
                transport.verify(process.errors());
            }
            process.errors()
                    .lines()
                    .filter(line -> !line.startsWith("{\"connections\""))
                    .forEach(line -> wrong.add("a process has printed: " + line));
        }
        return wrong;
    }

    /** Ends what is still alive. */
    @Override
    public void close() throws IOException {
        kill();
    }
}
