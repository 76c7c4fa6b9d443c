package org.exsockets.compat.programs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where Maven has put a program's driver, and the list of the program's own jars. Stateless. */
final class ProgramClassPath {
    private static final Path MODULES = Path.of(System.getProperty("compat.programs"));

    private ProgramClassPath() {}

    /**
     * {@return the class path of a module}
     *
     * @throws IllegalStateException if the module is not built
     */
    static String of(String module) {
        Path target = MODULES.resolve(module).resolve("target").toAbsolutePath().normalize();
        try {
            return target.resolve("classes")
                    + File.pathSeparator
                    + Files.readString(target.resolve("class-path")).trim();
        } catch (NoSuchFileException e) {
            throw new IllegalStateException(
                    "the programs are not built: run compat-tests/programs/check, or mvn package in that directory", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
