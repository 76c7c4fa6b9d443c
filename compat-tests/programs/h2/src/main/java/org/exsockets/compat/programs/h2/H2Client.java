package org.exsockets.compat.programs.h2;

import org.exsockets.compat.programs.driver.DatabaseWork;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** A client of H2. Argument: the server's port. */
public final class H2Client {
    private H2Client() {}

    public static void main(String[] arguments) {
        String url =
                "jdbc:h2:tcp://" + Ports.HOST + ":" + arguments[0] + "/./work;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
        Driver.work(new DatabaseWork(url, "sa", "blob")::work);
    }
}
