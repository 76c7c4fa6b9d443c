package org.exsockets.compat.programs;

/** Apache Thrift: calls of many connections, to a server with threads and to one with selectors. */
final class ThriftIT extends ProgramTest {
    ThriftIT() {
        super(new Driver("thrift", "ThriftServers"), new Driver("thrift", "ThriftClients"));
    }
}
