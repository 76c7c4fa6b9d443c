package org.exsockets.compat.programs.postgresql;

import org.exsockets.compat.programs.driver.DatabaseWork;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** A client of PostgreSQL. Arguments: the server's port, the user. */
public final class PostgresClient {
    private PostgresClient() {}

    public static void main(String[] arguments) {
        String url = "jdbc:postgresql://" + Ports.HOST + ":" + arguments[0] + "/postgres";
        Driver.work(new DatabaseWork(url, arguments[1], "bytea")::work);
    }
}
