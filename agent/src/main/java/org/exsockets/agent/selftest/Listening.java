package org.exsockets.agent.selftest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The side of the command that listens: starts servers for one test after the other, until it is ended. */
final class Listening {
    private static final String EVERYWHERE = "0.0.0.0";

    private final Workplace workplace;
    private int tests;

    Listening(Workplace workplace) {
        this.workplace = workplace;
    }

    /** @param port 0: any, of the servers, too. Returns by an exception only. */
    void run(int port) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(port));
            System.out.println("selftest: listening on port " + listener.getLocalPort()
                    + (port == 0 ? "" : "; the servers use those to " + (port + Servers.PORTS))
                    + "; on the other host: java -jar exs-agent.jar selftest HOST"
                    + (port == Options.DEFAULT_PORT ? "" : ":" + listener.getLocalPort()));
            while (true) {
                Socket socket = listener.accept();
                try (Control control = new Control(socket)) {
                    control.greet();
                    System.out.println(
                            "selftest: tested by " + socket.getInetAddress().getHostAddress());
                    serve(control, port);
                    System.out.println("selftest: done");
                } catch (IOException e) {
                    System.out.println("selftest: not tested: " + e.getMessage());
                }
            }
        } catch (IOException e) {
            throw new IOException("cannot listen on port " + port + ": " + e.getMessage(), e);
        }
    }

    private void serve(Control control, int port) throws IOException {
        tests++;
        try (Servers servers = new Servers(workplace, EVERYWHERE, "server" + tests, port == 0 ? 0 : port + 1)) {
            for (Transport transport : Transport.values()) {
                control.send(Control.PORTS
                        + Arrays.stream(servers.ports(transport))
                                .mapToObj(Integer::toString)
                                .collect(Collectors.joining(" ")));
            }
            control.sendAll(Control.ABOUT, Surroundings.lines());
            control.sendAll(Control.ABOUT, Surroundings.capabilities());
            control.send(Control.READY);
            control.awaitEnd();
            Peer.Remains remains = servers.end();
            control.sendAll(Control.STATISTICS, remains.statistics());
            control.sendAll(Control.SAID, remains.said());
            control.send(Control.OVER);
        } catch (IOException e) {
            control.send(Control.ERROR + e.getMessage());
            throw e;
        }
    }
}
