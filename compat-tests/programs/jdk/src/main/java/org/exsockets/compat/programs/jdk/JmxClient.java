package org.exsockets.compat.programs.jdk;

import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Results;

/** Reads and sets attributes, invokes operations, is notified. Argument: the connector's address. */
public final class JmxClient {
    private static final int CHANGES = 200;
    private static final int LETTERS = 2_000_000;
    private static final long LIMIT_SECONDS = 60;

    private JmxClient() {}

    public static void main(String[] arguments) {
        Driver.work(results -> {
            try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(arguments[0]))) {
                use(connector.getMBeanServerConnection(), results);
            }
        });
    }

    private static void use(MBeanServerConnection beans, Results results) throws Exception {
        ObjectName warehouse = new ObjectName("org.exsockets:type=Warehouse");
        BlockingQueue<String> notified = new LinkedBlockingQueue<>();
        beans.addNotificationListener(
                warehouse, (notification, handback) -> notified.add(notification.getMessage()), null, null);
        for (int i = 1; i <= CHANGES; i++) {
            beans.setAttribute(warehouse, new Attribute("Limit", i));
            Expect.equal(i, beans.getAttribute(warehouse, "Limit"), "attribute");
        }
        for (int i = 1; i <= CHANGES; i++) {
            Expect.equal("limit " + i, notified.poll(LIMIT_SECONDS, TimeUnit.SECONDS), "notification " + i);
        }
        Object described =
                beans.invoke(warehouse, "describe", new Object[] {LETTERS}, new String[] {int.class.getName()});
        Expect.equal(Content.text(LETTERS, LETTERS), described, "result of an operation");
        results.toClient(LETTERS);
        RuntimeMXBean runtime = ManagementFactory.newPlatformMXBeanProxy(
                beans, ManagementFactory.RUNTIME_MXBEAN_NAME, RuntimeMXBean.class);
        Expect.that(runtime.getPid() != ProcessHandle.current().pid(), "the server is another process");
        Expect.that(beans.getMBeanCount() > 15, "the platform's beans are there");
        results.put("changes", CHANGES);
    }
}
