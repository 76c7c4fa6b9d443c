package org.exsockets.compat.programs.jdk;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.ListenerNotFoundException;
import javax.management.MBeanNotificationInfo;
import javax.management.MBeanServer;
import javax.management.Notification;
import javax.management.NotificationBroadcaster;
import javax.management.NotificationBroadcasterSupport;
import javax.management.NotificationFilter;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** The platform's MBeans and one more, for remote clients: the RMI connector, whose address holds its stub. */
public final class JmxServer {
    /** An MBean that notifies whoever listens of each change of its limit. */
    public interface Warehouse {
        int getLimit();

        void setLimit(int limit);

        String describe(int length);
    }

    private JmxServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
            LocalWarehouse warehouse = new LocalWarehouse();
            beans.registerMBean(
                    new NotifyingBean(warehouse, warehouse.changes), new ObjectName("org.exsockets:type=Warehouse"));
            Map<String, Object> settings = new HashMap<>();
            JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                    new JMXServiceURL("rmi", Ports.HOST, 0), settings, beans);
            server.start();
            return new Driver.Running(server::stop, server.getAddress());
        });
    }

    private static final class LocalWarehouse implements Warehouse {
        private final NotificationBroadcasterSupport changes = new NotificationBroadcasterSupport();
        private int limit;
        private long sequence;

        @Override
        public synchronized int getLimit() {
            return limit;
        }

        @Override
        public synchronized void setLimit(int newLimit) {
            limit = newLimit;
            changes.sendNotification(
                    new Notification("limit", "org.exsockets:type=Warehouse", ++sequence, "limit " + newLimit));
        }

        @Override
        public String describe(int length) {
            return Content.text(length, length);
        }
    }

    private static final class NotifyingBean extends StandardMBean implements NotificationBroadcaster {
        private final NotificationBroadcasterSupport changes;

        NotifyingBean(Warehouse warehouse, NotificationBroadcasterSupport changes) {
            super(warehouse, Warehouse.class, false);
            this.changes = changes;
        }

        @Override
        public void addNotificationListener(NotificationListener listener, NotificationFilter filter, Object handback) {
            changes.addNotificationListener(listener, filter, handback);
        }

        @Override
        public void removeNotificationListener(NotificationListener listener) throws ListenerNotFoundException {
            changes.removeNotificationListener(listener);
        }

        @Override
        public MBeanNotificationInfo[] getNotificationInfo() {
            return changes.getNotificationInfo();
        }
    }
}
