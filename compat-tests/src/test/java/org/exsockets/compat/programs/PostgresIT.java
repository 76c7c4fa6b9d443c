package org.exsockets.compat.programs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDBC driver of PostgreSQL with a real PostgreSQL. */
final class PostgresIT extends NativeServerTest {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final String USER = "postgres";

    PostgresIT() {
        super(new Driver("postgresql", "PostgresClient"));
    }

    @Override
    Serving start(Path directory) throws Exception {
        Path programs = programs();
        assumeTrue(programs != null, "there is no PostgreSQL; rxe/install installs it");
        Path own = Files.createDirectory(directory.resolve("postgres"));
        if (isRoot()) {
            Files.setOwner(
                    own, own.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
        }
        String data = own.resolve("data").toString();
        NativeServer.run(
                directory,
                asUser(programs.resolve("initdb"), "-D", data, "-U", USER, "-A", "trust", "--no-sync")
                        .toArray(String[]::new));
        String port = Integer.toString(NativeServer.unusedPort());
        List<String> command = asUser(
                programs.resolve("postgres"), "-D", data, "-p", port, "-k", own.toString(), "-h", "127.0.0.1", "-F");
        return new Serving(
                new NativeServer(
                        command, directory.resolve("postgres.log"), "database system is ready to accept connections"),
                List.of(port, USER));
    }

    /** {@return where the programs are; null if there are none} */
    private static Path programs() throws IOException {
        Path found = null;
        if (Files.isDirectory(INSTALLED)) {
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(INSTALLED)) {
                for (Path version : versions) {
                    Path bin = version.resolve("bin");
                    found = Files.isExecutable(bin.resolve("initdb")) ? bin : found;
                }
            }
        }
        return found;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** PostgreSQL refuses to run as root. */
    private static List<String> asUser(Path program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
        }
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }
}
