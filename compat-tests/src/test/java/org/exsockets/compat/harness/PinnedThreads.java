package org.exsockets.compat.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** A flight recording of this JVM that sees every virtual thread that blocks without giving its carrier back. */
public final class PinnedThreads implements AutoCloseable {
    /** The calls under test are to block for longer. */
    public static final long UNSEEN_MS = 200;

    /**
     * Shorter pins are the JVM's own: a monitor of {@code Thread} that a look at its stack holds, a class that another thread
     * initialises; either may have to wait for a core.
     */
    private static final Duration BLOCKED = Duration.ofMillis(UNSEEN_MS / 2);

    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final Recording recording = new Recording();

    private PinnedThreads() {
        recording.enable(PINNED).withThreshold(BLOCKED).withStackTrace();
        recording.start();
    }

    public static PinnedThreads record() {
        return new PinnedThreads();
    }

    /** Ends the recording and checks that no virtual thread was pinned. */
    public void assertNone() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("pinned", ".jfr");
        try {
            recording.dump(file);
            List<String> pinned = new ArrayList<>();
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                if (event.getEventType()
                        .getName()
                        .equals(PINNED)) { // Events that are not the JDK's are on by themselves.
                    pinned.add(String.valueOf(event));
                }
            }
            if (!pinned.isEmpty()) {
                throw new AssertionError("virtual threads were pinned: " + pinned);
            }
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public void close() {
        recording.close();
    }
}
