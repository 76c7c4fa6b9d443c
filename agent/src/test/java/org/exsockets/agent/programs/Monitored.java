package org.exsockets.agent.programs;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;

/** Holds a connection with itself, and prints what its own MBean server knows of that. */
public final class Monitored {
    /** What is printed. */
    public static final String EXPECTED = "2 0 2 1 10 true true\n";

    private Monitored() {}

    /** {@code make}: makes the platform's MBean server; {@code await}: waits until somebody has. */
    public static void main(String[] arguments) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket listener = new ServerSocket(0, 5, loopback);
                Socket client = new Socket(loopback, listener.getLocalPort());
                Socket server = listener.accept()) {
            client.getOutputStream().write(new byte[10]);
            server.getInputStream().readNBytes(10);
            MBeanServer platform = arguments[0].equals("make") ? ManagementFactory.getPlatformMBeanServer() : others();
            ObjectName name = new ObjectName("org.exsockets:type=Sockets");
            while (!platform.isRegistered(name)) {
                Thread.sleep(10);
            }
            StringBuilder all = new StringBuilder();
            for (String attribute : List.of(
                    "ConnectionsSoft", "ConnectionsTcp", "OpenConnections", "OpenListeners", "BytesSentIndirect")) {
                all.append(platform.getAttribute(name, attribute)).append(' ');
            }
            TabularData[] connections =
                    (TabularData[]) platform.invoke(name, "listConnections", new Object[0], new String[0]);
            all.append(connections.length == 2 && connections[0].containsKey(new Object[] {"unread_bytes"}));
            all.append(' ').append(((TabularData) platform.getAttribute(name, "Fallbacks")).isEmpty());
            System.out.println(all);
        }
    }

    private static MBeanServer others() throws InterruptedException {
        List<MBeanServer> servers = MBeanServerFactory.findMBeanServer(null);
        while (servers.isEmpty()) {
            Thread.sleep(10);
            servers = MBeanServerFactory.findMBeanServer(null);
        }
        return servers.get(0);
    }
}
