package org.exsockets.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class ManagedTest {
    @Test
    void theSocketsAreInThePlatformsServerOnly() throws Exception {
        ObjectName name = new ObjectName(Managed.NAME);
        MBeanServer programs = MBeanServerFactory.createMBeanServer("the program's");
        MBeanServer platforms = ManagementFactory.getPlatformMBeanServer();
        try {
            assertFalse(new Managed(false).getAsBoolean(), "once");
            assertFalse(programs.isRegistered(name));
            assertTrue(platforms.isRegistered(name));
            assertTrue((Long) platforms.getAttribute(name, "ConnectionsSoft") >= 0);
            assertEquals(14, platforms.getMBeanInfo(name).getAttributes().length);
        } finally {
            platforms.unregisterMBean(name);
            MBeanServerFactory.releaseMBeanServer(programs);
        }
    }
}
