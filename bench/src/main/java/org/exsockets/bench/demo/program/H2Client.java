package org.exsockets.bench.demo.program;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * JDBC against an H2 server: {@code insert} inserts rows one by one into a fresh table, {@code select-N} reads single
 * rows of it by key from N connections, {@code scan} reads the whole table until it has read enough rows. Argument: the
 * server's port.
 */
public final class H2Client implements ClientOrders.Steps {
    private final String url;
    private final Connection connection;
    private String table;
    private int rows;

    private H2Client(int port) throws SQLException {
        url = "jdbc:h2:tcp://" + ServerHost.NAME + ":" + port + "/mem:demo;DB_CLOSE_DELAY=-1";
        connection = connect();
    }

    /** Follows orders from standard input. */
    public static void main(String[] arguments) throws SQLException {
        ClientOrders.follow(new H2Client(Integer.parseInt(arguments[0])));
    }

    @Override
    public StepResult run(String step, int operations, int round) throws Exception {
        if (step.equals("insert")) {
            return insert(operations, round);
        }
        return step.equals("scan") ? scan(operations) : select(operations, connections(step));
    }

    /** Logs off: H2 prints needless error messages for a connection that just ends. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private static int connections(String step) {
        return Integer.parseInt(step.substring("select-".length()));
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
    }

    private StepResult insert(int operations, int round) throws SQLException {
        table = "account_" + round;
        rows = operations;
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table
                    + "(id INT PRIMARY KEY, holder VARCHAR(64), balance DECIMAL(12, 2), note VARCHAR(256))");
        }
        long sentBytes = 0;
        Latencies latencies = new Latencies();
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?, ?)")) {
            for (int id = 0; id < operations; id++) {
                Account account = Account.of(id);
                long beganNs = System.nanoTime();
                insert.setInt(1, account.id());
                insert.setString(2, account.holder());
                insert.setBigDecimal(3, account.balance());
                insert.setString(4, account.note());
                insert.executeUpdate();
                latencies.recordSince(beganNs);
                sentBytes += account.textBytes();
            }
        }
        long checksum;
        try (Statement statement = connection.createStatement();
                ResultSet totals = statement.executeQuery("SELECT COUNT(*), SUM(balance) FROM " + table)) {
            totals.next();
            checksum = totals.getLong(1) * 31 + totals.getBigDecimal(2).hashCode();
        }
        return latencies.result(operations, sentBytes, 0, checksum);
    }

    private StepResult select(int operations, int connections) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(connections);
        try {
            Latencies latencies = new Latencies();
            List<Callable<long[]>> shares = new ArrayList<>();
            for (int share = 0; share < connections; share++) {
                int first = share;
                shares.add(() -> selectShare(first, connections, operations, latencies));
            }
            long receivedBytes = 0;
            long checksum = 0;
            for (Future<long[]> share : executor.invokeAll(shares)) {
                receivedBytes += share.get()[0];
                checksum += share.get()[1];
            }
            return latencies.result(operations, 0, receivedBytes, checksum);
        } finally {
            executor.shutdown();
        }
    }

    /** {@return text bytes received, and a sum of row checksums that does not depend on the order} */
    private long[] selectShare(int first, int stride, int end, Latencies latencies) throws SQLException {
        long receivedBytes = 0;
        long checksum = 0;
        try (Connection own = connect();
                PreparedStatement select =
                        own.prepareStatement("SELECT id, holder, balance, note FROM " + table + " WHERE id = ?")) {
            for (int i = first; i < end; i += stride) {
                int id = (int) (i * 7_919L % rows);
                long beganNs = System.nanoTime();
                select.setInt(1, id);
                try (ResultSet result = select.executeQuery()) {
                    Account account = next(result, id);
                    latencies.recordSince(beganNs);
                    receivedBytes += account.textBytes();
                    checksum += account.hashCode();
                }
            }
        }
        return new long[] {receivedBytes, checksum};
    }

    private StepResult scan(int operations) throws SQLException {
        long receivedBytes = 0;
        long checksum = 0;
        int read = 0;
        Latencies latencies = new Latencies();
        try (PreparedStatement scan =
                connection.prepareStatement("SELECT id, holder, balance, note FROM " + table + " ORDER BY id")) {
            while (read < operations) {
                try (ResultSet result = scan.executeQuery()) {
                    for (int id = 0; id < rows; id++, read++) {
                        Account account = next(result, id);
                        receivedBytes += account.textBytes();
                        checksum = checksum * 31 + account.hashCode();
                    }
                }
            }
        }
        return latencies.result(read, 0, receivedBytes, checksum);
    }

    private static Account next(ResultSet result, int id) throws SQLException {
        if (!result.next()) {
            throw new SQLException("row missing: id=" + id);
        }
        Account read = new Account(result.getInt(1), result.getString(2), result.getBigDecimal(3), result.getString(4));
        if (!read.equals(Account.of(id))) {
            throw new SQLException("row differs: read=" + read + ", expected=" + Account.of(id));
        }
        return read;
    }

    /** One row; its content follows from the key, so every row read can be checked. */
    private record Account(int id, String holder, BigDecimal balance, String note) {
        static Account of(int id) {
            String note = "opened on day " + id % 3_650 + ", last statement " + Integer.toHexString(id * 0x9e3779b9);
            return new Account(id, "holder " + id, BigDecimal.valueOf(id * 7_907L % 100_000_000L, 2), note);
        }

        int textBytes() {
            return holder.length() + note.length();
        }
    }
}
