package org.exsockets.agent.cli;

/** Tells whoever runs the jar by itself what it is and how it is used. */
public final class Main {
    private Main() {}

    /** Prints version and usage; exits with status 2 if given anything. */
    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            System.err.println("exs: unknown command '" + arguments[0] + "'; run without arguments for help");
            System.exit(2);
        }
        String version = Main.class.getPackage().getImplementationVersion();
        System.out.print("""
                EXS sockets %s: ordinary Java TCP sockets over RDMA with the EXS protocol

                In front of an unmodified program (JDK 17 or later, Linux):
                  java -javaagent:exs-agent.jar[=OPTION=VALUE,...] ...

                Options; each also a system property -Dexs.OPTION=VALUE:
                  enabled=true|false            false: install nothing
                  device=auto|soft|disni|none   which RDMA device to use
                  rules=FILE                    who is an EXS peer
                  buffer=SIZE                   hidden buffer per direction
                  spin=MICROSECONDS|auto        how long to poll before sleeping
                  stats=stderr|FILE             a summary at exit, as one line of JSON
                  log=LEVEL                     what to report

                Without the agent, for channels, with this jar on the class path:
                  java -Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider ...
                and for java.net sockets, at the start of the program:
                  org.exsockets.ExsSockets.install();
                """.formatted(version));
    }
}
