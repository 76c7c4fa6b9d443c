package org.exsockets.compat.seams;

import static org.exsockets.compat.harness.PeerJvm.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.junit.jupiter.api.Test;

/** Runtimes that jlink has made. */
final class LinkedRuntimesIT extends SeamTest {
    @Test
    void documentedModulesAreEnough() throws Exception {
        assertConversed(conversation("java.base,java.instrument"), Transport.SOFT);
    }

    private ProgramJvm conversation(String modules) throws Exception {
        Path image = directory.resolve("image");
        // A JDK without files to link from links from itself, but not in this JVM's directories: its own tool does.
        Process linking = new ProcessBuilder(
                        ProgramJvm.javaTool("jlink"), "--add-modules", modules, "--output", image.toString())
                .inheritIO()
                .start();
        assertEquals(0, linking.waitFor());
        List<String> arguments = new ArrayList<>(agent("program", Transport.SOFT));
        arguments.addAll(List.of("-cp", classes().toString(), Conversation.class.getName()));
        return start("program", image.resolve("bin").resolve("java"), arguments);
    }
}
