package org.exsockets.compat.soak;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A mount namespace with a {@code /dev/shm} of its own, so that it can be filled without harm to anybody else. Making one
 * takes root; where that cannot be, the processes use the machine's, which is not filled.
 */
final class Stage implements Closeable {
    private static final int MEBIBYTES = 256;
    private static final int REFILL_MS = 10;
    private static final int PIECE_BYTES = 1 << 16;
    private static final String PRIVATE =
            "mount -t tmpfs -o mode=1777,size=" + MEBIBYTES + "m soak /dev/shm && " + "echo ready && exec cat";

    /** Keeps the namespace; null if there is none. */
    private final Process keeper;

    Stage() throws IOException {
        keeper = unshare();
    }

    private static Process unshare() throws IOException {
        Process process;
        try {
            process = new ProcessBuilder("unshare", "--mount", "--propagation", "private", "sh", "-c", PRIVATE)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notInstalled) {
            return null;
        }
        // Its output: not closed, as it belongs to a process that lives.
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        return "ready".equals(said.readLine()) ? process : null;
    }

    boolean isPrivate() {
        return keeper != null;
    }

    /** Returns the command that becomes another one, in the namespace. */
    List<String> launcher() {
        return isPrivate() ? List.of("nsenter", "--mount=/proc/" + keeper.pid() + "/ns/mnt") : List.of();
    }

    private Path sharedMemory() {
        return Path.of(isPrivate() ? "/proc/" + keeper.pid() + "/root/dev/shm" : "/dev/shm");
    }

    /** Takes all of the shared memory that is left, for some time, and again what becomes free meanwhile. */
    void fill(long milliseconds) throws IOException, InterruptedException {
        Path file = sharedMemory().resolve("full");
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] piece = new byte[PIECE_BYTES];
            long beginNs = System.nanoTime();
            while (System.nanoTime() - beginNs < milliseconds * 1_000_000) {
                writeUntilFull(out, piece);
                Thread.sleep(REFILL_MS);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void writeUntilFull(OutputStream out, byte[] piece) throws IOException {
        try {
            while (true) {
                out.write(piece);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw full;
            }
        }
    }

    /** Returns which files of EXS there are, if nobody else can have any. */
    List<String> files() throws IOException {
        List<String> files = new ArrayList<>();
        if (isPrivate()) {
            try (DirectoryStream<Path> directories = Files.newDirectoryStream(sharedMemory(), "exs-*")) {
                for (Path directory : directories) {
                    try (Stream<Path> all = Files.list(directory)) {
                        all.forEach(file -> files.add(file.getFileName().toString()));
                    }
                }
            }
        }
        return files;
    }

    /** Returns a library that changes what programs take for the time, or null. */
    static Path falseClock() {
        Path[] directories = {Path.of("/usr/lib"), Path.of("/usr/lib64")};
        return Arrays.stream(directories)
                .filter(Files::isDirectory)
                .flatMap(Stage::libraries)
                .findFirst()
                .orElse(null);
    }

    private static Stream<Path> libraries(Path directory) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(directory)) {
            for (Path inner : each) {
                Path library = inner.resolve("faketime/libfaketimeMT.so.1");
                if (Files.exists(library)) {
                    found.add(library);
                }
            }
        } catch (IOException unreadable) {
            return Stream.empty();
        }
        return found.stream();
    }

    @Override
    public void close() throws IOException {
        if (isPrivate()) {
            keeper.getOutputStream().close();
            keeper.destroy();
        }
    }
}
