package org.exsockets.config;

/** The switches as {@code --help} prints them. A test holds them together with {@link Setting} and docs/usage.md. */
public final class Switches {
    private Switches() {}

    /** {@return a line for each: name, values, and what it decides; the default is the first value, or in brackets} */
    public static String table() {
        return """
            enabled         true, false                      false: install nothing
            faces           net, nio, aio [all]              which classes use EXS: sockets, channels, asynchronous ones
            device          auto, soft, disni, none          which RDMA device to use
            rules           FILE [none]                      who is an EXS peer
            peers           user, any, unmapped, NUMBERS     whose processes may be peers over shared memory
            buffer          4k to 64m [4m]                   hidden buffer per direction: how far writers get ahead
            memory          auto, SIZE                       how much memory the process may share
            copy            auto, ordinary                   how large writes get into shared memory
            dump            false, true                      whether core dumps have the shared memory
            direct          auto, never, always              whether bytes go straight into a reader's buffer
            direct.buffers  off, 64k to 1024m                from which size on direct buffers lie in shared memory
            register        auto, SIZE                       how much of the program's memory is registered with adapters
            spin            auto, MICROSECONDS               how long to poll before sleeping
            rehearsal       true, false                      whether a process at rest compiles the path early
            netty           nio, native                      whether Netty is kept on NIO
            jmx             auto, true                       whether to make an MBean server to be found in
            timeout         1 to 60000 [500]                 bound of a connect over RDMA, in milliseconds
            retry           0 to 86400 [30]                  how long a failed one is remembered, in seconds
            rdma.tos        0 to 255                         traffic class over RDMA if the program sets none
            native          DIRECTORY [chosen]               where the native library may be unpacked
            disni           FILE [the jar's own]             an installed libdisni.so to use instead
            stats           stderr, FILE [none]              a summary at exit, as one line of JSON
            log             off, error, warn, info, debug [warn]
                                                             what to report; and where, with :FILE behind it
            """;
    }
}
