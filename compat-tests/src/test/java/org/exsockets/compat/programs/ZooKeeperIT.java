package org.exsockets.compat.programs;

import java.util.List;

/** ZooKeeper on NIO: sessions that count together, watches, large nodes, transactions. */
final class ZooKeeperIT extends ProgramTest {
    ZooKeeperIT() {
        super(new Driver("zookeeper", "ZooKeeperNode"), new Driver("zookeeper", "ZooKeeperSessions"));
    }

    @Override
    List<String> options() {
        return List.of("-Dzookeeper.admin.enableServer=false");
    }
}
