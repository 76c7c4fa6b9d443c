package org.exsockets.compat.programs.thrift;

import java.net.InetSocketAddress;
import java.util.List;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.server.TThreadedSelectorServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.layered.TFramedTransport;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** One server with a thread for each connection, and one with selectors. */
public final class ThriftServers {
    private ThriftServers() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            TServerSocket blocking = new TServerSocket(new InetSocketAddress(Ports.HOST, 0));
            TNonblockingServerSocket selected = new TNonblockingServerSocket(new InetSocketAddress(Ports.HOST, 0));
            List<TServer> servers = List.of(
                    new TThreadPoolServer(new TThreadPoolServer.Args(blocking)
                            .processor(new Digests())
                            .protocolFactory(new TBinaryProtocol.Factory())),
                    new TThreadedSelectorServer(new TThreadedSelectorServer.Args(selected)
                            .processor(new Digests())
                            .transportFactory(new TFramedTransport.Factory())
                            .protocolFactory(new TBinaryProtocol.Factory())));
            servers.forEach(server -> new Thread(server::serve).start());
            return new Driver.Running(
                    () -> servers.forEach(TServer::stop),
                    blocking.getServerSocket().getLocalPort(),
                    selected.getPort());
        });
    }
}
