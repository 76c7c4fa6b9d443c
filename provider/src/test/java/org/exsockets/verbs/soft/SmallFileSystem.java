package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A memory file system that is soon full: of 64 KiB, unless more is asked for. */
record SmallFileSystem(Path root) implements AutoCloseable {
    static SmallFileSystem create(Path parent) throws IOException {
        return create(parent, 64 << 10);
    }

    static SmallFileSystem create(Path parent, int lengthBytes) throws IOException {
        Path mount = Files.createDirectory(parent.resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + lengthBytes, "none", mount.toString()) == 0,
                "cannot mount a tmpfs");
        return new SmallFileSystem(mount);
    }

    @Override
    public void close() throws IOException {
        run("umount", "-l", root.toString());
    }

    private static int run(String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .onExit()
                .join()
                .exitValue();
    }
}
