package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Parent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Children of {@code ProcessBuilder}: they inherit neither descriptors nor mappings of connections. */
final class ChildrenIT extends SeamTest {
    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void childrenInheritNothing(Transport transport) throws Exception {
        List<String> lines = start("parent", transport, List.of("-Dexs.direct.buffers=64k"), Parent.class)
                .awaitEnd();
        List<String> all = lines.stream()
                .filter(line -> line.startsWith("descriptor "))
                .filter(line -> line.contains("socket:") || line.contains("anon_inode:") || line.contains("/shm/"))
                .toList();
        assertEquals(List.of(), all);
        assertEquals(
                List.of(),
                lines.stream().filter(line -> line.contains("/dev/shm")).toList());
        assertTrue(lines.stream().filter(line -> line.startsWith("mapping ")).count() > 1, lines.toString());
        assertEquals("parent 1", lines.get(lines.size() - 1));
    }
}
