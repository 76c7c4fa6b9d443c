package org.exsockets.compat.programs.derby;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.util.concurrent.locks.LockSupport;
import org.apache.derby.drda.NetworkServerControl;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** Derby's network server, with databases in memory. Who waits for a lock gives up after a second. */
public final class DerbyServer {
    private static final long LOOK_NS = 20_000_000;

    private DerbyServer() {}

    public static void main(String[] arguments) {
        System.setProperty("derby.stream.error.file", "derby.log");
        System.setProperty("derby.locks.waitTimeout", "1");
        Driver.serve(() -> {
            int port = Ports.unused();
            NetworkServerControl server = new NetworkServerControl(InetAddress.getByName(Ports.HOST), port);
            // It says on which port it is ready. A ping would be a connection too early.
            StringWriter said = new StringWriter();
            server.start(new PrintWriter(said, true));
            while (!said.toString().contains(Integer.toString(port))) {
                LockSupport.parkNanos(LOOK_NS);
            }
            return new Driver.Running(server::shutdown, port);
        });
    }
}
