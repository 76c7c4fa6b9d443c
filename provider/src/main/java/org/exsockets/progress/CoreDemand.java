package org.exsockets.progress;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.observe.Log;

/**
 * Whether more threads want to run than the machine has cores: then a spinning thread is in somebody's way, most likely
 * its own peer's.
 *
 * <p>Looks at the number of runnable threads in {@code /proc/loadavg} (proc(5)), at most every two milliseconds, at the
 * cost of one short system call. Where this process may not use all cores that number says nothing about those it may
 * use, and the answer is always no. Thread-safe.
 */
final class CoreDemand {
    static final long SAMPLE_NS = 2_000_000;

    private static final int LINE_LENGTH = 64;
    private static final int SAMPLES_TO_BEGIN = 2;
    private static final int SAMPLES_TO_END = 3;

    private static final CoreDemand MACHINE =
            new CoreDemand(Runtime.getRuntime().availableProcessors());

    private final int cores;
    private final AtomicLong nextSampleNs = new AtomicLong(System.nanoTime());

    /** Opened by the first sample; null if there is nothing to learn. Used by the thread that takes a sample. */
    private RandomAccessFile source;

    private boolean opened;
    private final byte[] line = new byte[LINE_LENGTH];

    /** Whether even one thread more than there are cores wants to run. */
    private final Answer any;

    /** The same of two more; one comes and goes with the compiler. */
    private final Answer several;

    /**
     * One answer: two samples in a row above a bound make it crowded, three in a row with no more than there are cores end
     * it. Samples between the two bounds leave it as it is.
     */
    private final class Answer {
        private final int bound;

        /** Samples in a row that speak against the present answer. */
        private int streak;

        private volatile boolean crowded;

        Answer(int bound) {
            this.bound = bound;
        }

        void judge(int runnable) {
            boolean over = runnable > (crowded ? cores : bound);
            streak = over == crowded ? 0 : streak + 1;
            if (streak >= (crowded ? SAMPLES_TO_END : SAMPLES_TO_BEGIN)) {
                crowded = over;
                streak = 0;
            }
        }
    }

    CoreDemand(int cores) {
        this.cores = cores;
        any = new Answer(cores);
        several = new Answer(cores + 1);
    }

    /**
     * {@return the answer for this machine at {@code nowNs}}
     *
     * @param one whether one thread more than there are cores does not make it crowded, as that of a compiler
     */
    static boolean crowded(long nowNs, boolean one) {
        long next = MACHINE.nextSampleNs.get();
        if (nowNs - next >= 0 && MACHINE.nextSampleNs.compareAndSet(next, nowNs + SAMPLE_NS)) {
            MACHINE.sample();
        }
        return MACHINE.isCrowded(one);
    }

    private synchronized void sample() {
        int runnable = read();
        if (runnable > 0) {
            judge(runnable);
        }
    }

    /**
     * Takes a sample into account.
     *
     * @param runnable threads that run or want to, the caller among them
     */
    void judge(int runnable) {
        any.judge(runnable);
        several.judge(runnable);
    }

    boolean isCrowded(boolean one) {
        return (one ? several : any).crowded;
    }

    private int read() {
        if (!opened) {
            opened = true;
            source = open();
        }
        if (source == null) {
            return 0;
        }
        try {
            source.seek(0);
            return runnable(line, source.read(line));
        } catch (IOException e) {
            Log.debug("run queue: " + e);
            source = null;
            return 0;
        }
    }

    private RandomAccessFile open() {
        try {
            return onlineCores() == cores ? new RandomAccessFile("/proc/loadavg", "r") : null;
        } catch (IOException | RuntimeException e) {
            Log.debug("run queue: " + e);
            return null;
        }
    }

    private static int onlineCores() throws IOException {
        return countCores(
                SmallFiles.read(Path.of("/sys/devices/system/cpu/online")).trim());
    }

    /** {@return how many cores a list such as {@code 0-3,8,10-11} names} */
    static int countCores(String list) {
        int count = 0;
        for (String range : list.split(",")) {
            String[] ends = range.split("-");
            count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
        }
        return count;
    }

    /** {@return the number before the slash in {@code 0.20 0.18 0.12 1/80 11206}; 0 if there is none} */
    static int runnable(byte[] line, int length) {
        int at = 0;
        for (int spaces = 0; at < length && spaces < 3; at++) {
            if (line[at] == ' ') {
                spaces++;
            }
        }
        int value = 0;
        for (; at < length && line[at] >= '0' && line[at] <= '9'; at++) {
            value = 10 * value + line[at] - '0';
        }
        return at < length && line[at] == '/' ? value : 0;
    }
}
