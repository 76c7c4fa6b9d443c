package org.exsockets.compat.harness;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All descriptors that this process could still open. Thread-safe. */
public final class Descriptors implements AutoCloseable {
    /** More than the limit of any process that does this. */
    private static final int MOST = 100_000;

    private final List<FileInputStream> files = new ArrayList<>();

    /**
     * Opens files until there are no descriptors left; again, what has become free meanwhile.
     *
     * @return how many are taken now
     */
    public synchronized int take() throws IOException {
        while (files.size() < MOST) {
            try {
                files.add(new FileInputStream("/dev/null"));
            } catch (FileNotFoundException exhausted) {
                if (!String.valueOf(exhausted.getMessage()).contains("Too many open files")) {
                    throw exhausted;
                }
                return files.size();
            }
        }
        throw new IOException("descriptors: there is no limit: taken=" + MOST);
    }

    /** Gives some back. */
    public synchronized void give(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            files.remove(files.size() - 1).close();
        }
    }

    /** Gives all back. */
    @Override
    public synchronized void close() throws IOException {
        give(files.size());
    }
}
