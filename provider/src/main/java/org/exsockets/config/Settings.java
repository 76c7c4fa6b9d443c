package org.exsockets.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of one JVM, complete and checked. Immutable; read once at installation and handed to every layer.
 *
 * <p>Each setting has an agent option ({@code buffer}), a system property ({@code exs.buffer}) and an environment
 * variable ({@code EXS_BUFFER}); the first of these that is present wins, and only that one is parsed.
 *
 * @param enabled whether EXS is switched on ({@code exs.enabled})
 * @param faces the faces that EXS serves; the others are the JDK's ({@code exs.faces})
 * @param device the devices connections may use ({@code exs.device})
 * @param rules of the file named by {@code exs.rules}, or {@link TransportRules#NONE}
 * @param peers which users peers over shared memory may belong to ({@code exs.peers})
 * @param bufferBytes size of the hidden buffer per direction in bytes, a power of two ({@code exs.buffer})
 * @param sharedBytes limit of the memory that this process shares with others, in bytes; 0: none; {@link #BYTES_AUTO}:
 *     a part of what the machine, or the control group, has ({@code exs.memory})
 * @param nativeCopy whether native code may copy into shared memory, where that is faster ({@code exs.copy})
 * @param dumped whether core dumps have the memory that this process shares with others ({@code exs.dump})
 * @param registeredBytes limit of the program's memory that is registered with adapters at a time, in bytes; 0: none;
 *     {@link #BYTES_AUTO}: a part of what may be locked ({@code exs.register})
 * @param directBufferBytes size in bytes from which direct buffers of a program are placed in shared memory; 0: none
 *     are ({@code exs.direct.buffers})
 * @param direct whether bytes go straight into memory of reading programs ({@code exs.direct})
 * @param spinNs how long to spin before sleeping, in nanoseconds, or {@link #SPIN_AUTO} ({@code exs.spin})
 * @param rehearsal whether messages within the process make the compiler know the path of data ({@code exs.rehearsal})
 * @param nettyOnNio whether Netty is kept off its native transport, which no provider can reach ({@code exs.netty})
 * @param jmx whether to make the platform's MBean server, where there is none, and be found there ({@code exs.jmx})
 * @param timeoutMs bound of one connect over RDMA, in milliseconds, ≥ 1 ({@code exs.timeout})
 * @param retrySeconds how long a failed connect over RDMA to a host and port is remembered, in seconds; 0: not at all
 *     ({@code exs.retry})
 * @param trafficClass of connections over RDMA for which the program sets none, 0 to 255; 0: the kernel's ({@code
 *     exs.rdma.tos})
 * @param nativeDirectory where the native library may be unpacked to; empty to let the device choose ({@code
 *     exs.native})
 * @param foreignDisni an installed libdisni to use instead of the one in the jar; empty for ours ({@code exs.disni})
 * @param stats where the summary at exit goes; empty if none is wanted ({@code exs.stats})
 * @param log how much is logged, and where to ({@code exs.log})
 */
public record Settings(
        boolean enabled,
        Set<Face> faces,
        DeviceChoice device,
        TransportRules rules,
        Peers peers,
        int bufferBytes,
        long sharedBytes,
        boolean nativeCopy,
        boolean dumped,
        long registeredBytes,
        int directBufferBytes,
        DirectMode direct,
        long spinNs,
        boolean rehearsal,
        boolean nettyOnNio,
        boolean jmx,
        int timeoutMs,
        int retrySeconds,
        int trafficClass,
        Optional<Path> nativeDirectory,
        Optional<Path> foreignDisni,
        Optional<StatsTarget> stats,
        LogTarget log) {
    /** {@link #spinNs} if the bound adapts itself. */
    public static final long SPIN_AUTO = -1;

    /** {@link #registeredBytes} and {@link #sharedBytes} if the device chooses. */
    public static final long BYTES_AUTO = -1;

    private static final long NS_PER_MICROSECOND = 1_000;

    /** @param file the one that the log is appended to; empty for standard error */
    public record LogTarget(LogLevel level, Optional<Path> file) {
        static final LogTarget DEFAULT = new LogTarget(LogLevel.WARN, Optional.empty());
    }

    /** {@return whether the spin bound adapts itself} */
    public boolean spinAuto() {
        return spinNs == SPIN_AUTO;
    }

    /** {@return all settings but the rules, as {@code exs.name=value}, for the user to read} */
    public List<String> lines() {
        return List.of(
                "exs.enabled=" + enabled,
                "exs.faces=" + Face.names(faces, ","),
                "exs.device=" + device.name().toLowerCase(Locale.ROOT),
                "exs.peers=" + peers,
                "exs.buffer=" + bufferBytes,
                "exs.memory=" + bytesOrAuto(sharedBytes),
                "exs.copy=" + (nativeCopy ? "auto" : "ordinary"),
                "exs.dump=" + dumped,
                "exs.direct=" + direct.name().toLowerCase(Locale.ROOT),
                "exs.register=" + bytesOrAuto(registeredBytes),
                "exs.direct.buffers=" + (directBufferBytes == 0 ? "off" : directBufferBytes),
                "exs.spin=" + (spinAuto() ? "auto" : spinNs / NS_PER_MICROSECOND),
                "exs.rehearsal=" + rehearsal,
                "exs.netty=" + (nettyOnNio ? "nio" : "native"),
                "exs.jmx=" + (jmx ? "true" : "auto"),
                "exs.timeout=" + timeoutMs,
                "exs.retry=" + retrySeconds,
                "exs.rdma.tos=" + trafficClass,
                "exs.native=" + textOrEmpty(nativeDirectory),
                "exs.disni=" + textOrEmpty(foreignDisni),
                "exs.stats=" + textOrEmpty(stats),
                "exs.log=" + log.level.name().toLowerCase(Locale.ROOT)
                        + (log.file.isEmpty() ? "" : ":" + log.file.get()));
    }

    private static String bytesOrAuto(long bytes) {
        return bytes == BYTES_AUTO ? "auto" : Long.toString(bytes);
    }

    private static String textOrEmpty(Optional<?> value) {
        return value.isEmpty() ? "" : value.get().toString();
    }
}
