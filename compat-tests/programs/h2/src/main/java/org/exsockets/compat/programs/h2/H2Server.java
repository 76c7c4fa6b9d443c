package org.exsockets.compat.programs.h2;

import org.exsockets.compat.programs.driver.Driver;
import org.h2.tools.Server;

/** H2's server for its driver, which makes databases in the working directory. */
public final class H2Server {
    private H2Server() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", ".")
                    .start();
            return new Driver.Running(server::stop, server.getPort());
        });
    }
}
