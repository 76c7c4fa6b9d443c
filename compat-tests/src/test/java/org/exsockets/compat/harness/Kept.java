package org.exsockets.compat.harness;

import java.util.regex.Pattern;

/**
 * The kinds of things that a process may be left with, and the one place that says how many of each it may keep, beyond
 * what it had at first, however many connections it has had: whatever has a bound names the cache that keeps it. What
 * docs/usage.md says about limits is held to these numbers.
 */
enum Kept {
    TCP_SOCKET(0),
    /**
     * The JDK: one end of a socket pair that it makes once and duplicates over descriptors being closed; WatchSocket, in
     * either class loader that may hold EXS.
     */
    UNIX_SOCKET(2 + 2),
    /** TCP that neither listens nor is connected, as what holds the port of a connection over EXS; other families. */
    OTHER_SOCKET(0),
    /** ProgressThread; the JDK's pollers of virtual threads: readers, writers, master; WatchSocket, as above. */
    EPOLL(1 + 5 + 2),
    /** One for each of the above. */
    EVENT(1 + 5 + 2),
    PIPE(0),
    /** KnownListeners.MAX_ENTRIES: by which the end of a listener's process is seen. */
    PROCESS_DESCRIPTOR(64),
    OTHER_DESCRIPTOR(0),
    /** Open files that are neither archives and libraries of the JVM nor devices. */
    OPEN_FILE(0),

    /** OwnProcess, in either class loader that may hold EXS, and the last one of Arenas. */
    MEMORY_DESCRIPTOR(2 + 1),
    /** SegmentPool.MAX_IDLE and SegmentCache.MAX_ENTRIES: made and accepted. */
    SEGMENT_MAPPING(16 + 32),
    /** Not parts of them: Arenas keeps one of its own. */
    ARENA_MAPPING(1),
    /** OwnProcess, in either class loader, and the peers of segments that are kept and of KnownListeners.MAX_ENTRIES. */
    PROCESS_MAPPING(2 + 16 + 32 + 64),
    /** libexspoll.so of DescriptorPoll and libexsverbs.so, in either class loader that may hold EXS. */
    LIBRARY_MAPPING(2 * 2),
    /** Of files that a program has mapped, or a copy from a file has. */
    FILE_MAPPING(0),

    /** An unpacked library is removed once the JVM has loaded it. */
    LIBRARY_FILE(0),

    PROGRESS_THREAD(1, "exs-progress"),
    /** Closer; each ends when idle for a tenth of a second. */
    CLOSER_THREAD(2, "exs-(file-)?closer"),
    /** Cleaners: frees memory whose buffers are unreachable. */
    ARENA_THREAD(1, "exs-cleaner"),
    /** Rehearsal: for a minute at most. */
    REHEARSAL_THREAD(2, "exs-rehearsal"),
    /** Preparation, in either class loader: until the classes are loaded. */
    PREPARATION_THREAD(2, "exs-preparation"),
    /** WatchSocket: one while it answers. */
    WATCH_THREAD(2, "exs-ss"),
    /** DeviceThread: one while an adapter is in use, and some seconds longer. */
    VERBS_THREAD(1, "exs-verbs"),
    /** ConnectThreads.MAX_THREADS; each ends when idle for 10 s. */
    CONNECT_THREAD(128, "exs-connect-\\d+"),
    /** The JDK: one for each process that lives, and each that has ended within the last minute. */
    REAPER_THREAD(32, "process reaper( \\(pid \\d+\\))?"),
    /** The JDK: carriers of virtual threads, and what wakes those. */
    CARRIER_THREAD(16, "ForkJoinPool-1-worker-\\d+"),
    UNPARKER_THREAD(8, "VirtualThread-unparker(-\\d+)?|VirtualThread-unblocker|ForkJoinPool-1-delayScheduler"),
    POLLER_THREAD(8, "(Master|Read|Write)-?(Poller|Updater)(-\\d+)?"),
    COMMON_POOL_THREAD(16, "ForkJoinPool\\.commonPool-(worker-\\d+|delayScheduler)"),
    /** Of the JVM's default group of asynchronous channels, which grows with the handlers that run at the same time. */
    DEFAULT_GROUP_THREAD(16, DefaultGroupThreads.NAME + "\\d+"),
    /** The JDK; from 26 on also that of direct buffers, which has no name of its own. */
    CLEANER_THREAD(4, "Common-Cleaner|(Cleaner|InnocuousThread)-\\d+"),
    RECORDER_THREAD(4, "JFR (Recorder Thread|Periodic Tasks|Recording Scheduler|Shutdown Hook)"),
    /** The JDK's HTTP clients: as many as requests were under way at once; each ends when idle for a minute. */
    HTTP_THREAD(64, "HttpClient-\\d+-Worker-\\d+|Keep-Alive-Timer|Keep-Alive-SocketCleaner"),
    /** The JDK: what RMI starts once, and threads that idle for up to a minute. */
    RMI_THREAD(8, "RMI TCP Connection\\(idle\\)|RMI Scheduler\\(0\\)|RMI RenewClean-.*|RMI Reaper|GC Daemon"),
    JVM_THREAD(4, "Attach Listener|Signal Dispatcher|Notification Thread|Finalizer|Reference Handler"),
    JUNIT_THREAD(1, "junit-jupiter-timeout-watcher"),
    FORK_THREAD(4, "surefire-forkedjvm-.*"),
    OTHER_THREAD(0, ".*");

    final int bound;

    /** The names of these threads; null if they are none. */
    private final Pattern names;

    Kept(int bound) {
        this(bound, null);
    }

    Kept(int bound, String names) {
        this.bound = bound;
        this.names = names == null ? null : Pattern.compile(names);
    }

    /** {@return what a thread of this name is: the first kind that knows it} */
    static Kept thread(String name) {
        for (Kept kind : values()) {
            if (kind.names != null && kind.names.matcher(name).matches()) {
                return kind;
            }
        }
        return OTHER_THREAD;
    }
}
