package org.exsockets.compat.soak;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What of the machine faults need. */
final class Stage {
    private Stage() {}

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
}
