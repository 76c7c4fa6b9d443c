package org.exsockets.compat.programs;

import java.util.List;

/** ZooKeeper on Netty, at both sides, which would take its native transport: the agent keeps it on NIO. */
final class ZooKeeperOnNettyIT extends ProgramTest {
    ZooKeeperOnNettyIT() {
        super(new Driver("zookeeper", "ZooKeeperNode"), new Driver("zookeeper", "ZooKeeperSessions"));
    }

    @Override
    List<String> options() {
        return List.of(
                "-Dzookeeper.admin.enableServer=false",
                "-Dzookeeper.serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "-Dzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty");
    }
}
