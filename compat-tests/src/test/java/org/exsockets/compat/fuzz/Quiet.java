package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;

/**
 * Tells from Linux's /proc that processes do nothing any more: every thread that could be executing the program's calls
 * sleeps in the kernel, and none has run for a while. That does not depend on how busy the machine is: a thread that waits
 * for a core does not sleep. Used by one thread.
 */
final class Quiet {
    /** Longer than a background thread of EXS sleeps at a time while it has something to do soon. */
    private static final long GAP_MS = 3;

    /** Beginnings of names of threads of the JVM that run by themselves. */
    private static final List<String> BY_THEMSELVES = List.of(
            "VM Periodic",
            "Signal D",
            "Common-C",
            "Finalizer",
            "Reference",
            "Monitor D",
            "Notific",
            "Service",
            "process re",
            "Sweeper",
            "Libgraal",
            "Attach",
            "JFR");

    /** Others may wait for these while they run, but they may run by themselves, too. */
    private static final List<String> OF_THE_JVM = List.of("G1 ", "GC Th", "VM Thread", "C1 ", "C2 ");

    /** In so many looks one after the other nothing but compilers has run: nobody waits for them. */
    private static final int LOOKS_WITH_COMPILERS = 25;

    private final List<Path> kernelThreads;

    /** A compiler was seen to run in this look. */
    private boolean compiling;

    Quiet() throws IOException {
        kernelThreads = networkThreads();
    }

    /** The kernel's threads that deliver packets when a processor has too many of them. */
    private static List<Path> networkThreads() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    if (Files.readString(process.resolve("comm")).startsWith("ksoftirqd/")) {
                        found.add(process);
                    }
                } catch (IOException endedMeanwhile) {
                    continue;
                }
            }
        }
        return found;
    }

    /** Waits until the processes are quiet. */
    void await(List<PeerJvm> processes) throws IOException, InterruptedException {
        long deadlineNs = Patience.deadlineNs();
        Map<Path, String> before = null;
        int same = 0;
        while (System.nanoTime() - deadlineNs < 0) {
            compiling = false;
            Map<Path, String> now = runTimes(processes);
            same = now != null && now.equals(before) ? same + 1 : 0;
            if (same >= (compiling ? LOOKS_WITH_COMPILERS : 1)) {
                return;
            }
            before = now;
            Thread.sleep(GAP_MS);
        }
        throw Patience.expired("the processes come to rest", Patience.CALL_SECONDS);
    }

    /** Returns how long each thread has run, or null if one does not sleep. */
    private Map<Path, String> runTimes(List<PeerJvm> processes) throws IOException {
        for (Path thread : kernelThreads) {
            if (!sleeps(Files.readString(thread.resolve("stat")))) {
                return null;
            }
        }
        Map<Path, String> times = new HashMap<>();
        for (PeerJvm process : processes) {
            Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
                for (Path thread : threads) {
                    if (!addRunTime(thread, times)) {
                        return null;
                    }
                }
            } catch (NoSuchFileException ended) {
                continue;
            }
        }
        return times;
    }

    private boolean addRunTime(Path thread, Map<Path, String> times) throws IOException {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            String name = stat.substring(stat.indexOf('(') + 1);
            if (BY_THEMSELVES.stream().anyMatch(name::startsWith)) {
                return true;
            }
            if (!sleeps(stat)) {
                compiling |= name.startsWith("C1 ") || name.startsWith("C2 ");
                return name.startsWith("C1 ") || name.startsWith("C2 ");
            }
            if (OF_THE_JVM.stream().noneMatch(name::startsWith)) {
                times.put(thread, Files.readString(thread.resolve("schedstat")));
            }
            return true;
        } catch (NoSuchFileException endedMeanwhile) {
            return true;
        } catch (IOException endedWhileRead) {
            return false;
        }
    }

    private static boolean sleeps(String stat) {
        char state = stat.charAt(stat.lastIndexOf(')') + 2);
        return state == 'S' || state == 'I';
    }
}
