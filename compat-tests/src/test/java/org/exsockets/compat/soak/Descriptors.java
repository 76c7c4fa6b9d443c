package org.exsockets.compat.soak;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Leaves this process without descriptors for a while. Stateless. */
final class Descriptors {
    /** More than any limit that the soak sets. */
    private static final int MOST = 100_000;

    private Descriptors() {}

    /**
     * Opens files until there are no descriptors left, and closes them after that time.
     *
     * @return when it began and when it was over, by {@link System#nanoTime}, and how many files there were
     */
    static String exhaust(long milliseconds) throws IOException, InterruptedException {
        long beginNs = System.nanoTime();
        List<FileInputStream> files = new ArrayList<>();
        int most = 0;
        try {
            // Again and again: what others close meanwhile is taken, too.
            for (long left = milliseconds; left > 0; left -= 10) {
                open(files);
                most = files.size();
                Thread.sleep(10);
            }
        } finally {
            for (FileInputStream file : files) {
                file.close();
            }
        }
        return beginNs + " " + System.nanoTime() + " " + most;
    }

    private static void open(List<FileInputStream> files) throws IOException {
        while (files.size() < MOST) {
            try {
                files.add(new FileInputStream("/dev/null"));
            } catch (FileNotFoundException exhausted) {
                if (!String.valueOf(exhausted.getMessage()).contains("Too many open files")) {
                    throw exhausted;
                }
                return;
            }
        }
    }
}
