package org.exsockets.compat.seams;

import static org.exsockets.compat.harness.PeerJvm.classes;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JaCoCo's agent beside ours, in either order: everything travels over EXS, and the coverage is written. */
final class OtherAgentsIT extends SeamTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void agentsDoNotDisturbEachOther(boolean otherFirst) throws Exception {
        Path coverage = directory.resolve("coverage");
        List<String> options = new ArrayList<>(agent("program", Transport.SOFT));
        options.add(otherFirst ? 0 : options.size(), "-javaagent:" + jacoco() + "=destfile=" + coverage);
        options.addAll(List.of("-cp", classes().toString(), Conversation.class.getName()));
        assertConversed(start("program", Path.of(ProgramJvm.javaTool("java")), options), Transport.SOFT);
        String written = Files.readString(coverage, java.nio.charset.StandardCharsets.ISO_8859_1);
        assertTrue(written.contains(Conversation.class.getName().replace('.', '/')), "no coverage of the program");
    }

    /** {@return its jar, which the class path of the tests has} */
    private static String jacoco() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("org.jacoco.agent-") && entry.endsWith("-runtime.jar"))
                .findFirst()
                .orElseThrow();
    }
}
