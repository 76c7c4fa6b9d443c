package org.exsockets.compat.programs;

/** JMX for remote clients: attributes, operations, notifications. */
final class JmxIT extends ProgramTest {
    JmxIT() {
        super(new Driver("jdk", "JmxServer"), new Driver("jdk", "JmxClient"));
    }
}
