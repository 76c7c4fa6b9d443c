package org.exsockets.compat.programs.derby;

import org.exsockets.compat.programs.driver.DatabaseWork;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** A client of Derby. Argument: the server's port. */
public final class DerbyClient {
    private static final String LOCK_TIMED_OUT = "40XL1";

    private DerbyClient() {}

    public static void main(String[] arguments) {
        String url = "jdbc:derby://" + Ports.HOST + ":" + arguments[0] + "/memory:work;create=true;user=app;password=app";
        Driver.work(new DatabaseWork(url, null, "blob", LOCK_TIMED_OUT)::work);
    }
}
