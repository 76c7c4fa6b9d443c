package org.exsockets.compat.programs.zookeeper;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.exsockets.compat.programs.driver.Driver;

/** A server on its own. On NIO or on Netty, as ZooKeeper's own property {@code zookeeper.serverCnxnFactory} has it. */
public final class ZooKeeperNode {
    private static final long LIMIT_SECONDS = 60;

    private ZooKeeperNode() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            ServerConfig settings = new ServerConfig();
            settings.parse(new String[] {"0", Path.of("data").toAbsolutePath().toString()});
            Main main = new Main();
            Thread running = new Thread(() -> main.run(settings), "ZooKeeper");
            running.start();
            main.started.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            return new Driver.Running(
                    () -> {
                        main.close();
                        running.join();
                    },
                    main.getClientPort());
        });
    }

    private static final class Main extends ZooKeeperServerMain {
        private final CompletableFuture<Void> started = new CompletableFuture<>();

        void run(ServerConfig settings) {
            try {
                runFromConfig(settings);
            } catch (Exception e) {
                started.completeExceptionally(e);
            }
        }

        @Override
        protected void serverStarted() {
            started.complete(null);
        }
    }
}
