package org.exsockets.compat.programs.driver;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What is done with every database: rows one by one and in batches, large values, isolation, several connections. */
public final class DatabaseWork {
    private static final int ROWS = 1_000;
    private static final int LARGE_BYTES = 5_000_000;
    private static final int CONNECTIONS = 4;
    private static final int TRANSFERS = 100;

    private final String url;
    private final String user;
    private final String binary;
    private final String waitsTooLong;

    /**
     * Names a database whose readers see what was there before others' open transactions.
     *
     * @param url of JDBC
     * @param user who has no password
     * @param binary the type of columns for bytes
     */
    public DatabaseWork(String url, String user, String binary) {
        this(url, user, binary, null);
    }

    /**
     * Names a database whose readers wait for others' open transactions, for about a second.
     *
     * @param user who has no password; null: the URL says it
     * @param waitsTooLong the SQL state of what they are told then; null: they do not wait
     */
    public DatabaseWork(String url, String user, String binary, String waitsTooLong) {
        this.url = url;
        this.user = user;
        this.binary = binary;
        this.waitsTooLong = waitsTooLong;
    }

    /** Does it all, in an empty database. */
    public void work(Results results) throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create table items (id int primary key, name varchar(200), content " + binary + ")");
            statement.execute("create table accounts (id int primary key, balance int)");
            statement.execute("insert into accounts values (1, 1000), (2, 0)");
            insert(connection, results);
            select(connection, results);
            large(connection, results);
            isolate(connection);
        }
        transfer();
        results.put("rows", ROWS);
    }

    private Connection connect() throws SQLException {
        return user == null ? DriverManager.getConnection(url) : DriverManager.getConnection(url, user, "");
    }

    private static void insert(Connection connection, Results results) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("insert into items values (?, ?, ?)")) {
            for (int id = 0; id < ROWS; id++) {
                insert.setInt(1, id);
                insert.setString(2, Content.text(id, 100));
                insert.setBytes(3, Content.bytes(id, id));
                results.toServer(100 + id);
                if (id < ROWS / 2) {
                    insert.executeUpdate();
                } else {
                    insert.addBatch();
                }
            }
            Expect.equal(ROWS - ROWS / 2, insert.executeBatch().length, "rows of the batch");
        }
        connection.commit();
    }

    private static void select(Connection connection, Results results) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select id, name, content from items where id >= ? order by id")) {
            for (int from = 0; from < ROWS; from += 300) {
                select.setInt(1, from);
                select.setFetchSize(50);
                int id = from;
                try (ResultSet rows = select.executeQuery()) {
                    for (; rows.next(); id++) {
                        Expect.equal(id, rows.getInt(1), "next row");
                        Expect.equal(Content.text(id, 100), rows.getString(2), "name of row " + id);
                        Expect.equal(Content.bytes(id, id), rows.getBytes(3), "content of row " + id);
                        results.toClient(100 + id);
                    }
                }
                Expect.equal(ROWS, id, "rows from " + from + " on end at");
            }
        }
        connection.commit();
    }

    private static void large(Connection connection, Results results) throws Exception {
        byte[] content = Content.bytes(1, LARGE_BYTES);
        try (PreparedStatement insert = connection.prepareStatement("insert into items values (-1, 'large', ?)")) {
            insert.setBinaryStream(1, new ByteArrayInputStream(content), content.length);
            insert.executeUpdate();
        }
        connection.commit();
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery("select content from items where id = -1")) {
            Expect.that(row.next(), "the large row is there");
            try (InputStream in = row.getBinaryStream(1)) {
                Expect.equal(content, in.readAllBytes(), "large content");
            }
        }
        connection.commit();
        results.toServer(LARGE_BYTES);
        results.toClient(LARGE_BYTES);
    }

    private void isolate(Connection connection) throws SQLException {
        try (Connection other = connect();
                Statement here = connection.createStatement();
                Statement there = other.createStatement()) {
            here.execute("insert into items values (-2, 'unseen', null)");
            expectUnseen(there);
            connection.rollback();
            Expect.equal(0, count(here), "rows after a rollback");
            here.execute("insert into items values (-2, 'seen', null)");
            connection.commit();
            Expect.equal(1, count(there), "rows after a commit");
            try {
                here.execute("insert into items values (-2, 'twice', null)");
                throw new AssertionError("the same key was inserted twice");
            } catch (SQLException e) {
                Expect.equal("23505", e.getSQLState(), "state of a violated key");
                connection.rollback();
            }
        }
    }

    private void expectUnseen(Statement others) throws SQLException {
        try {
            Expect.equal(0, count(others), "rows of an open transaction that others see");
        } catch (SQLException e) {
            Expect.equal(waitsTooLong, e.getSQLState(), "state of a read that waits for an open transaction");
        }
    }

    private static int count(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("select count(*) from items where id = -2")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** Several connections move money at the same time; none of it is lost. */
    private void transfer() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            done.add(threads.submit(() -> {
                try (Connection connection = connect();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    for (int n = 0; n < TRANSFERS; n++) {
                        statement.executeUpdate("update accounts set balance = balance - 1 where id = 1");
                        statement.executeUpdate("update accounts set balance = balance + 1 where id = 2");
                        connection.commit();
                    }
                }
                return null;
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();
        try (Connection connection = connect();
                Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery("select balance from accounts order by id")) {
            for (int expected : new int[] {1000 - CONNECTIONS * TRANSFERS, CONNECTIONS * TRANSFERS}) {
                Expect.that(rows.next(), "the account is there");
                Expect.equal(expected, rows.getInt(1), "balance");
            }
        }
    }
}
