package org.exsockets.verbs.soft;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringTokenizer;
import org.exsockets.jdk.SmallFiles;

/**
 * Who this process is to the kernel: what names in the private directory are made of.
 *
 * @param uid effective user id
 * @param networkNamespace inode of the network namespace, as in {@code /proc/self/ns/net}
 * @param processNamespace inode of the pid namespace
 * @param pid process id inside that namespace
 * @param startTicks clock ticks between boot and the start of the process: tells a reused pid
 */
record ProcessIdentity(long uid, long networkNamespace, long processNamespace, long pid, long startTicks) {
    /** Index of "starttime" among the fields of proc(5) stat that follow the command name. */
    private static final int START_TICKS_FIELD = 19;

    static ProcessIdentity own() throws IOException {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(effectiveUser(), namespace("net"), namespace("pid"), pid, startTicks(pid));
    }

    private static long effectiveUser() throws IOException {
        String status = SmallFiles.read(Path.of("/proc/self/status"));
        for (String line : status.split("\n")) {
            if (line.startsWith("Uid:")) {
                // The real one, the effective one, and others.
                StringTokenizer words = new StringTokenizer(line.substring("Uid:".length()));
                words.nextToken();
                return Long.parseLong(words.nextToken());
            }
        }
        throw new IOException("effective user: no Uid line in /proc/self/status");
    }

    private static long namespace(String kind) throws IOException {
        String link = Files.readSymbolicLink(Path.of("/proc/self/ns", kind)).toString();
        return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
    }

    /**
     * {@return when a process has started, which is when its first thread has} The thread is asked: qemu's user emulation answers
     * for the process itself, with the start of whichever thread asks, and a process that lives would be taken for dead.
     */
    static long startTicks(long pid) throws IOException {
        String first = Long.toString(pid);
        String line = SmallFiles.read(Path.of("/proc", first, "task", first, "stat"));
        return Long.parseLong(line.substring(line.lastIndexOf(')') + 2).split(" ")[START_TICKS_FIELD]);
    }

    /** {@return whether a process of this pid namespace lives, by pid and start time; in doubt it does} */
    static boolean lives(long pid, long startTicks) {
        try {
            return startTicks(pid) == startTicks;
        } catch (IOException | RuntimeException unread) {
            // It is gone; or this process lacks descriptors, and what is another's would be taken from it. This needs
            // none.
            return new File("/proc", Long.toString(pid)).exists();
        }
    }
}
