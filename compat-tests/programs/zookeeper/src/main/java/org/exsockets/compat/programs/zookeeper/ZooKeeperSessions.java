package org.exsockets.compat.programs.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.Results;

/** Several sessions: a counter that all increment, watches, large nodes, transactions, what ends with its session. */
public final class ZooKeeperSessions {
    private static final int SESSIONS = 4;
    private static final int INCREMENTS = 60;
    private static final int LARGE_BYTES = 900_000;
    private static final int SESSION_TIMEOUT_MS = 30_000;
    private static final long LIMIT_SECONDS = 60;

    private final String server;
    private final Results results;

    private ZooKeeperSessions(String server, Results results) {
        this.server = server;
        this.results = results;
    }

    /** Argument: the server's port. */
    public static void main(String[] arguments) {
        Driver.work(results -> {
            ZooKeeperSessions sessions = new ZooKeeperSessions(Ports.HOST + ":" + arguments[0], results);
            try (Session first = sessions.open()) {
                sessions.count(first.keeper);
                sessions.watch(first);
                sessions.store(first.keeper);
                commitAllOrNothing(first.keeper);
                sessions.endWithTheSession(first);
            }
        });
    }

    private Session open() throws Exception {
        return new Session(server);
    }

    private static String create(ZooKeeper keeper, String path, byte[] data, CreateMode mode) throws Exception {
        return keeper.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
    }

    private void count(ZooKeeper keeper) throws Exception {
        create(keeper, "/counter", number(0), CreateMode.PERSISTENT);
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            done.add(threads.submit(() -> {
                try (Session session = open()) {
                    for (int n = 0; n < INCREMENTS; n++) {
                        increment(session.keeper);
                    }
                }
                return null;
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();
        String counted = new String(keeper.getData("/counter", false, null), StandardCharsets.US_ASCII);
        Expect.equal(Integer.toString(SESSIONS * INCREMENTS), counted, "counter");
        results.put("counter", counted);
    }

    private static byte[] number(int value) {
        return Integer.toString(value).getBytes(StandardCharsets.US_ASCII);
    }

    /** Tries until nobody has come between. */
    private static void increment(ZooKeeper keeper) throws Exception {
        while (true) {
            Stat version = new Stat();
            int value =
                    Integer.parseInt(new String(keeper.getData("/counter", false, version), StandardCharsets.US_ASCII));
            try {
                keeper.setData("/counter", number(value + 1), version.getVersion());
                return;
            } catch (KeeperException.BadVersionException somebodyElse) {
                continue;
            }
        }
    }

    private void watch(Session session) throws Exception {
        try (Session other = open()) {
            for (int i = 0; i < 50; i++) {
                String path = "/watched-" + i;
                Expect.equal(null, session.keeper.exists(path, true), "node that nobody has made");
                create(other.keeper, path, new byte[0], CreateMode.PERSISTENT);
                Expect.equal("NodeCreated " + path, session.next(), "event");
            }
        }
        results.put("watches", 50);
    }

    private void store(ZooKeeper keeper) throws Exception {
        for (int i = 0; i < 10; i++) {
            byte[] data = Content.bytes(i, LARGE_BYTES);
            create(keeper, "/large-" + i, data, CreateMode.PERSISTENT);
            results.toServer(data.length);
        }
        for (int i = 0; i < 10; i++) {
            byte[] data = keeper.getData("/large-" + i, false, null);
            Expect.equal(Content.bytes(i, LARGE_BYTES), data, "node " + i);
            results.toClient(data.length);
        }
    }

    private static void commitAllOrNothing(ZooKeeper keeper) throws Exception {
        Op one = Op.create("/one", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        Op impossible = Op.delete("/does-not-exist", -1);
        try {
            keeper.multi(List.of(one, impossible));
            throw new AssertionError("the transaction did not fail");
        } catch (KeeperException.NoNodeException e) {
            Expect.equal(null, keeper.exists("/one", false), "node of a transaction that failed");
        }
        keeper.multi(List.of(one, Op.setData("/counter", number(0), -1)));
        Expect.that(keeper.exists("/one", false) != null, "node of a transaction that succeeded");
    }

    private void endWithTheSession(Session session) throws Exception {
        List<String> names = new ArrayList<>();
        create(session.keeper, "/members", new byte[0], CreateMode.PERSISTENT);
        try (Session other = open()) {
            for (int i = 0; i < 20; i++) {
                names.add(create(other.keeper, "/members/m-", new byte[0], CreateMode.EPHEMERAL_SEQUENTIAL));
            }
            List<String> sorted = new ArrayList<>(names);
            Collections.sort(sorted);
            Expect.equal(sorted, names, "names in the order of their making");
            Expect.equal(20, session.keeper.getChildren("/members", true).size(), "members while their session lives");
        }
        Expect.equal("NodeChildrenChanged /members", session.next(), "event");
        Expect.equal(0, session.keeper.getChildren("/members", false).size(), "members after their session");
    }

    /** A session and the events of its watches. */
    private static final class Session implements Watcher, AutoCloseable {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        private final ZooKeeper keeper;

        Session(String server) throws Exception {
            keeper = new ZooKeeper(server, SESSION_TIMEOUT_MS, this);
            Expect.equal("None null", next(), "event of a new session");
        }

        @Override
        public void process(WatchedEvent event) {
            events.add(event.getType() + " " + event.getPath());
        }

        String next() throws InterruptedException {
            return events.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            try {
                keeper.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
