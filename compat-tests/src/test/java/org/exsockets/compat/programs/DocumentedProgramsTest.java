package org.exsockets.compat.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/programs.md and the README say against what there is. Runs in the module's directory. */
final class DocumentedProgramsTest {
    private static final Path PAGE = Path.of("../docs/programs.md");
    private static final Path README = Path.of("../README.md");
    private static final Path VERSIONS = Path.of("programs/pom.xml");
    private static final Path TESTS = Path.of("src/test/java/org/exsockets/compat/programs");

    /** Parts of programs. */
    private static final Set<String> UNNAMED = Set.of("metrics", "snappy");

    @Test
    void versionOfEachProgramIsDocumented() throws IOException {
        assertNamesAllVersions(PAGE);
    }

    @Test
    void versionOfEachProgramIsInTheReadme() throws IOException {
        assertNamesAllVersions(README);
    }

    private static void assertNamesAllVersions(Path document) throws IOException {
        String page = Files.readString(document);
        List<String> missing = new ArrayList<>();
        Matcher version = Pattern.compile("<(\\w+)\\.version>(.*?)</").matcher(Files.readString(VERSIONS));
        while (version.find()) {
            if (!UNNAMED.contains(version.group(1)) && !page.contains(version.group(2))) {
                missing.add(version.group(1) + " " + version.group(2));
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void eachTestIsDocumented() throws IOException {
        String page = Files.readString(PAGE);
        List<String> missing = new ArrayList<>();
        try (DirectoryStream<Path> tests = Files.newDirectoryStream(TESTS, "*IT.java")) {
            for (Path test : tests) {
                String name = test.getFileName().toString().replace(".java", "");
                if (!page.contains("`" + name + "`")) {
                    missing.add(name);
                }
            }
        }
        assertEquals(List.of(), missing);
    }
}
