package org.exsockets.agent.cli;

import java.util.Arrays;
import org.exsockets.agent.isolation.IsolatedCall;
import org.exsockets.agent.isolation.Isolation;
import org.exsockets.agent.selftest.SelfTest;

/** The commands of the jar; without one, prints what it is and how it is used. */
public final class Main {
    private static final String SS = "org.exsockets.watch.SocketStatistics";
    private static final String DOCTOR = "org.exsockets.doctor.Doctor";

    private Main() {}

    /** Runs a command and exits with its status; 2 if there is no such command. */
    public static void main(String[] arguments) {
        String command = arguments.length == 0 ? "help" : arguments[0];
        switch (command) {
            case "help", "--help", "-h" -> help();
            case "version", "--version" -> System.out.println(version());
            case "ss" -> System.exit(isolated(SS, Arrays.copyOfRange(arguments, 1, arguments.length)));
            case "doctor" -> System.exit(isolated(DOCTOR, Arrays.copyOfRange(arguments, 1, arguments.length)));
            case "selftest" -> {
                isolate();
                System.exit(SelfTest.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
            }
            default -> {
                System.err.println("exs: unknown command '" + command + "'; run without arguments for help");
                System.exit(2);
            }
        }
    }

    /** Lookups of services by the context class loader must find the isolated ones. */
    private static void isolate() {
        Thread.currentThread().setContextClassLoader(Isolation.loader());
    }

    private static int isolated(String type, String[] arguments) {
        isolate();
        return (Integer) IsolatedCall.of(type, "run", new Class<?>[] {String[].class}, (Object) arguments);
    }

    private static String version() {
        return "EXS sockets " + Main.class.getPackage().getImplementationVersion();
    }

    private static String switches() {
        return (String) IsolatedCall.of("org.exsockets.config.Switches", "table", new Class<?>[0]);
    }

    private static void help() {
        System.out.print("""
                %s: ordinary Java TCP sockets over RDMA with the EXS protocol

                In front of an unmodified program (JDK 17 or later, Linux):
                  java -javaagent:exs-agent.jar[=OPTION=VALUE,...] ...

                Commands:
                  java [-Dexs.OPTION=VALUE ...] -jar exs-agent.jar doctor [-cp CLASSPATH] [HOST[:PORT]]
                      what would be used on this machine, and to that host; why nothing better, and what to do;
                      with a program's class path or jar, also its libraries that need plain sockets
                  java -jar exs-agent.jar ss [--wide] [--json] [--watch SECONDS]
                      the EXS connections and listeners of this user's programs; of root: of everybody's
                  java [-Dexs.OPTION=VALUE ...] -jar exs-agent.jar selftest [--json] [--seconds 1-90] [HOST[:PORT]]
                      does EXS work between two JVMs, and is it worth it? A minute and a half; on this host, or with
                      that one, where the same command runs with --listen [PORT]
                  java -jar exs-agent.jar version

                Options; each also a system property -Dexs.OPTION=VALUE, and an environment variable EXS_OPTION:
                %s
                Without the agent, with this jar on the class path:
                  java --add-opens java.base/java.nio.channels.spi=ALL-UNNAMED ...
                and for channels:
                  -Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider
                for asynchronous channels:
                  -Djava.nio.channels.spi.AsynchronousChannelProvider=org.exsockets.ExsAsynchronousChannelProvider
                for java.net sockets, at the start of the program:
                  org.exsockets.ExsSockets.install();
                """.formatted(version(), switches().indent(2)));
    }
}
