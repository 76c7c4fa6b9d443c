package org.exsockets.agent.selftest;

import java.io.IOException;
import java.io.PrintStream;

/**
 * The command {@code selftest}: does EXS work between two JVMs here, or on two hosts, and is it worth it? Less than two
 * minutes. Used by one thread.
 */
public final class SelfTest {
    /** Status: all data was right, and every connection was EXS's. */
    static final int WELL = 0;

    /** Status: it was not so, or the test could not be made. */
    static final int ILL = 1;

    /** Status: the command line cannot be understood. */
    static final int MISUSED = 2;

    private static final String LOOPBACK = "127.0.0.1";

    private SelfTest() {}

    /**
     * Runs the command.
     *
     * @param arguments what follows {@code selftest} on the command line
     * @return the exit status
     */
    public static int run(String[] arguments) {
        PrintStream out = System.out;
        Options options = Options.parse(arguments);
        if (options == null) {
            out.println(Options.USAGE);
            return MISUSED;
        }
        try {
            Workplace workplace = new Workplace();
            if (options.listens()) {
                workplace.useExsBetweenHosts();
                new Listening(workplace).run(options.port());
                return WELL;
            }
            return test(workplace, options, out);
        } catch (IOException e) {
            System.err.println("selftest: " + e.getMessage());
            return ILL;
        }
    }

    private static int test(Workplace workplace, Options options, PrintStream out) throws IOException {
        Progress progress = new Progress();
        Result result = new Result();
        if (options.host() != null) {
            workplace.useExsBetweenHosts();
        }
        progress.show("starting the servers");
        try (Peer peer = options.host() == null
                ? new Servers(workplace, LOOPBACK, "server", 0)
                : new OtherHost(options.host(), options.port())) {
            String address = peer.address();
            int port = peer.ports(Transport.EXS)[Face.CHANNEL.listener];
            result.about.addAll(Surroundings.lines());
            result.aboutPeer.addAll(peer.about());
            result.capabilities.addAll(
                    Surroundings.capabilities((address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port));
            new Trial(workplace, peer, options.seconds(), progress, result).run();
        } finally {
            progress.clear();
        }
        Verdict verdict = Verdict.of(result);
        Report report = new Report(result, verdict);
        if (options.json()) {
            out.println(report.json());
        } else {
            report.print(out);
        }
        return verdict.good() ? WELL : ILL;
    }
}
