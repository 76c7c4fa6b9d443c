package org.exsockets.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import org.exsockets.agent.isolation.Isolation;

/**
 * Where the JVM enters the agent, at its start or by a late attach, in the thread that runs {@code main} or listens for
 * attaching.
 *
 * <p>This class runs before the program, in the program's own class loader. Therefore it must not:
 *
 * <ul>
 *   <li>let anything leave it by exception: that ends the JVM;
 *   <li>use a language feature or class that came after Java 8: an old JVM must be able to load it and say why it stays
 *       on TCP;
 *   <li>touch loggers (java.util.logging, System.Logger), the platform MBean server, or anything else that a program or
 *       its launcher configures once at start;
 *   <li>touch sockets, channels or selectors: what exists before the hooks keeps the platform's implementation;
 *   <li>use lambdas, streams, regular expressions or {@code String.format}: each costs milliseconds of every start;
 *   <li>append anything to the boot class path: the JVM then warns about class data sharing at every start;
 *   <li>read system properties on behalf of the program while a security manager is in force;
 *   <li>print anything, unless there is something to warn about: then once.
 * </ul>
 */
public final class ExsAgent {
    private static final String INSTALLER = "org.exsockets.agent.tooling.Installer";

    private ExsAgent() {}

    /** Called by the JVM before {@code main}; {@code arguments} is what follows {@code -javaagent:jar=}, or null. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        install(arguments, null, instrumentation);
    }

    /** Called by the JVM on a late attach. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        install(arguments, "late", instrumentation);
    }

    private static void install(String arguments, String late, Instrumentation instrumentation) {
        String obstacle;
        try {
            obstacle = platformObstacle();
            if (obstacle == null) {
                obstacle = installIsolated(arguments, late, instrumentation);
            }
        } catch (Throwable failure) {
            obstacle = "cannot install: " + failure;
        }
        if (obstacle != null) {
            String link = obstacle.indexOf('\n') < 0 ? "; " : "\nexs: ";
            System.err.println("exs: " + obstacle + link + "running on plain TCP");
        }
    }

    private static String platformObstacle() {
        String version = System.getProperty("java.specification.version");
        int feature = version.startsWith("1.") ? 8 : Integer.parseInt(version);
        if (feature < 17) {
            return "Java 17 or later is needed, this is Java " + version;
        }
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            return "Linux is needed, this is " + system;
        }
        // Later Java versions have no security manager, and one day will have no such method.
        if (feature < 24 && System.getSecurityManager() != null) {
            return "a security manager is in force, whose checks only the platform's own sockets make";
        }
        return null;
    }

    private static String installIsolated(String arguments, String late, Instrumentation instrumentation)
            throws Throwable {
        Class<?> installer = Class.forName(INSTALLER, true, Isolation.loader());
        try {
            String[] exchange = {arguments, late};
            installer
                    .getMethod("install", String[].class, Instrumentation.class)
                    .invoke(null, exchange, instrumentation);
            return exchange[0];
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
