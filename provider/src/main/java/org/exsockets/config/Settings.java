package org.exsockets.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The settings of one JVM, complete and checked. Immutable; read once at installation and handed to every layer.
 *
 * <p>Each setting has an agent option ({@code buffer}), a system property ({@code exs.buffer}) and an environment
 * variable ({@code EXS_BUFFER}); the first of these that is present wins, and only that one is parsed.
 */
public final class Settings {
    /** Size of the hidden buffer per direction if {@code exs.buffer} is not set. */
    public static final int DEFAULT_BUFFER_BYTES = 4 << 20;

    /** Smallest hidden buffer that {@code exs.buffer} accepts. */
    public static final int MIN_BUFFER_BYTES = 4 << 10;

    /** Largest hidden buffer that {@code exs.buffer} accepts. */
    public static final int MAX_BUFFER_BYTES = 64 << 20;

    /** Smallest size that {@code exs.direct.buffers} accepts, in bytes. */
    public static final int MIN_DIRECT_BUFFER_BYTES = 64 << 10;

    /** Largest size that {@code exs.direct.buffers} accepts, in bytes. */
    public static final int MAX_DIRECT_BUFFER_BYTES = 1 << 30;

    /** {@link #spinNs} if the bound adapts itself. */
    public static final long SPIN_AUTO = -1;

    /** Bound of a connect over RDMA if {@code exs.timeout} is not set, in milliseconds. */
    public static final int DEFAULT_TIMEOUT_MS = 500;

    /** Longest bound that {@code exs.timeout} accepts, in milliseconds. */
    public static final int MAX_TIMEOUT_MS = 60_000;

    /** How long a failed connect over RDMA is remembered if {@code exs.retry} is not set, in seconds. */
    public static final int DEFAULT_RETRY_SECONDS = 30;

    /** Longest time that {@code exs.retry} accepts, in seconds: a day. */
    public static final int MAX_RETRY_SECONDS = 86_400;

    /** {@link #registeredBytes} and {@link #sharedBytes} if the device chooses. */
    public static final long BYTES_AUTO = -1;

    private static final long NS_PER_MICROSECOND = 1_000;

    private final boolean enabled;
    private final Set<Face> faces;
    private final DeviceChoice device;
    private final TransportRules rules;
    private final Peers peers;
    private final int bufferBytes;
    private final long sharedBytes;
    private final boolean nativeCopy;
    private final long registeredBytes;
    private final int directBufferBytes;
    private final DirectMode direct;
    private final long spinNs;
    private final int timeoutMs;
    private final int retrySeconds;
    private final Path nativeDirectory;
    private final Path foreignDisni;
    private final StatsTarget stats;
    private final SettingsReader.LogTarget log;

    Settings(SettingsReader reader) {
        enabled = reader.enabled();
        faces = reader.faces();
        device = reader.device();
        rules = reader.rules();
        peers = reader.peers();
        bufferBytes = reader.bufferBytes();
        sharedBytes = reader.sharedBytes();
        nativeCopy = reader.nativeCopy();
        registeredBytes = reader.registeredBytes();
        directBufferBytes = reader.directBufferBytes();
        direct = reader.direct();
        spinNs = reader.spinNs();
        timeoutMs = reader.timeoutMs();
        retrySeconds = reader.retrySeconds();
        nativeDirectory = reader.nativeDirectory();
        foreignDisni = reader.foreignDisni();
        stats = reader.stats();
        log = reader.log();
    }

    /** {@return the settings of a JVM in which nothing is set} */
    public static Settings defaults() {
        return read(Map.of(), name -> null, Set.of(), Map.of());
    }

    /** {@return the defaults with EXS switched off} */
    public static Settings disabled() {
        return read(Map.of("enabled", "false"), name -> null, Set.of(), Map.of());
    }

    /**
     * Reads and checks all settings, and the rules file if one is named.
     *
     * <p>Every agent option, every property that starts with {@code exs.} (but {@code exs.test.}) and every environment
     * variable that starts with {@code EXS_} (but {@code EXS_TEST_}) must be a known setting. An environment variable
     * with an empty value counts as not set.
     *
     * @param options agent options by short name; a null value counts as empty
     * @param property looks up a system property, null if absent
     * @param propertyNames the names of all system properties, to find misspelt ones
     * @param environment all environment variables
     * @return the settings
     * @throws IllegalArgumentException if anything is misspelt, malformed or unreadable; the message lists all
     *     problems, one per line, and is meant for the user
     */
    public static Settings read(
            Map<String, String> options,
            UnaryOperator<String> property,
            Set<String> propertyNames,
            Map<String, String> environment) {
        SettingsReader reader = new SettingsReader(options, property, environment);
        reader.findUnknown(Setting.Source.OPTION, options.keySet());
        reader.findUnknown(Setting.Source.PROPERTY, propertyNames);
        reader.findUnknown(Setting.Source.ENVIRONMENT, environment.keySet());
        Settings settings = new Settings(reader);
        reader.throwIfProblems();
        return settings;
    }

    /** {@return whether EXS is switched on ({@code exs.enabled})} */
    public boolean enabled() {
        return enabled;
    }

    /** {@return the faces that EXS serves; the others are the JDK's ({@code exs.faces})} */
    public Set<Face> faces() {
        return faces;
    }

    /** {@return the devices connections may use ({@code exs.device})} */
    public DeviceChoice device() {
        return device;
    }

    /** {@return the rules of the file named by {@code exs.rules}, or {@link TransportRules#NONE}} */
    public TransportRules rules() {
        return rules;
    }

    /** {@return which users peers over shared memory may belong to ({@code exs.peers})} */
    public Peers peers() {
        return peers;
    }

    /** {@return the size of the hidden buffer per direction in bytes, a power of two ({@code exs.buffer})} */
    public int bufferBytes() {
        return bufferBytes;
    }

    /**
     * {@return the limit of the memory that this process shares with others, in bytes; 0: none; {@link #BYTES_AUTO}: a
     * part of what the machine, or the control group, has ({@code exs.memory})}
     */
    public long sharedBytes() {
        return sharedBytes;
    }

    /** {@return whether native code may copy into shared memory, where that is faster ({@code exs.copy})} */
    public boolean nativeCopy() {
        return nativeCopy;
    }

    /**
     * {@return the limit of the program's memory that is registered with adapters at a time, in bytes; 0: none; {@link
     * #BYTES_AUTO}: a part of what may be locked ({@code exs.register})}
     */
    public long registeredBytes() {
        return registeredBytes;
    }

    /**
     * {@return the size in bytes from which direct buffers of a program are placed in shared memory; 0: none are
     * ({@code exs.direct.buffers})}
     */
    public int directBufferBytes() {
        return directBufferBytes;
    }

    /** {@return whether bytes go straight into memory of reading programs ({@code exs.direct})} */
    public DirectMode direct() {
        return direct;
    }

    /** {@return how long to spin before sleeping, in nanoseconds, or {@link #SPIN_AUTO} ({@code exs.spin})} */
    public long spinNs() {
        return spinNs;
    }

    /** {@return whether the spin bound adapts itself} */
    public boolean spinAuto() {
        return spinNs == SPIN_AUTO;
    }

    /** {@return the bound of one connect over RDMA, in milliseconds, ≥ 1 ({@code exs.timeout})} */
    public int timeoutMs() {
        return timeoutMs;
    }

    /**
     * {@return how long a failed connect over RDMA to a host and port is remembered, in seconds; 0: not at all ({@code
     * exs.retry})}
     */
    public int retrySeconds() {
        return retrySeconds;
    }

    /** {@return where the native library may be unpacked to; empty to let the device choose ({@code exs.native})} */
    public Optional<Path> nativeDirectory() {
        return Optional.ofNullable(nativeDirectory);
    }

    /** {@return an installed libdisni to use instead of the one in the jar; empty for ours ({@code exs.disni})} */
    public Optional<Path> foreignDisni() {
        return Optional.ofNullable(foreignDisni);
    }

    /** {@return where the summary at exit goes; empty if none is wanted ({@code exs.stats})} */
    public Optional<StatsTarget> stats() {
        return Optional.ofNullable(stats);
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
                "exs.direct=" + direct.name().toLowerCase(Locale.ROOT),
                "exs.register=" + bytesOrAuto(registeredBytes),
                "exs.direct.buffers=" + (directBufferBytes == 0 ? "off" : directBufferBytes),
                "exs.spin=" + (spinAuto() ? "auto" : spinNs / NS_PER_MICROSECOND),
                "exs.timeout=" + timeoutMs,
                "exs.retry=" + retrySeconds,
                "exs.native=" + (nativeDirectory == null ? "" : nativeDirectory),
                "exs.disni=" + (foreignDisni == null ? "" : foreignDisni),
                "exs.stats=" + (stats == null ? "" : stats),
                "exs.log=" + log.level().name().toLowerCase(Locale.ROOT)
                        + (log.file() == null ? "" : ":" + log.file()));
    }

    private static String bytesOrAuto(long bytes) {
        return bytes == BYTES_AUTO ? "auto" : Long.toString(bytes);
    }

    /** {@return how much is logged ({@code exs.log})} */
    public LogLevel logLevel() {
        return log.level();
    }

    /** {@return the file the log is appended to; empty for standard error ({@code exs.log=level:FILE})} */
    public Optional<Path> logFile() {
        return Optional.ofNullable(log.file());
    }
}
