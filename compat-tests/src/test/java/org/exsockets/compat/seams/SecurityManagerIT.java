package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.exsockets.compat.seams.programs.GuardedConversation;
import org.exsockets.compat.seams.programs.LateSecurityManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code java.security.manager} on the command line: never fatal where it is not without the agent. */
final class SecurityManagerIT extends SeamTest {
    private static final boolean SUPPORTED = Runtime.version().feature() < 24;

    @ParameterizedTest
    @CsvSource({"TCP,allow", "SOFT,allow", "TCP,disallow", "SOFT,disallow"})
    void noManagerInForceIsNoObstacle(Transport transport, String value) throws Exception {
        ProgramJvm jvm = start("program", transport, List.of("-Djava.security.manager=" + value), Conversation.class);
        if (SUPPORTED || value.equals("disallow")) {
            assertConversed(jvm, transport);
        } else {
            assertRefusedByTheJvm(jvm);
        }
    }

    @Test
    void withAManagerInForceTheProgramRunsOverTcp() throws Exception {
        Path policy =
                Files.writeString(directory.resolve("policy"), "grant { permission java.security.AllPermission; };");
        List<String> options = List.of("-Djava.security.manager", "-Djava.security.policy=" + policy);
        ProgramJvm jvm = start("program", Transport.SOFT, options, Conversation.class);
        if (SUPPORTED) {
            assertConversedOverTcp(jvm, "a security manager is in force");
        } else {
            assertRefusedByTheJvm(jvm);
        }
    }

    /** Nothing that it denies is done over EXS, and it is asked for no other action. */
    @Test
    void aManagerThatIsSetLaterIsAskedAsOverTcp() throws Exception {
        assumeTrue(SUPPORTED, "later Java versions have no security manager");
        Path policy = Files.writeString(
                directory.resolve("policy"),
                "grant { permission java.lang.RuntimePermission \"setSecurityManager\"; };");
        List<String> options = List.of("-Djava.security.manager=allow", "-Djava.security.policy=" + policy);
        ProgramJvm plain = start("plain", Transport.TCP, options, LateSecurityManager.class);
        List<String> overTcp = plain.awaitEnd();
        ProgramJvm soft = start("soft", Transport.SOFT, options, LateSecurityManager.class);
        assertEquals(overTcp, soft.awaitEnd(), soft.errors());
        assertTrue(overTcp.contains(
                "channel accepts, accept denied: java.lang.SecurityException: denied: accept,resolve"));
        String statistics = soft.statistics();
        assertTrue(Transport.connections(statistics, "soft") >= 4, soft::quoted);
        assertTrue(statistics.contains("\"security-manager\":"), soft::quoted);
    }

    /** Nothing of ours that happens at first needs a permission of the program, and it gives the program none. */
    @Test
    void aManagerThatIsSetFirstLetsTheProgramDoTheSame() throws Exception {
        assumeTrue(SUPPORTED, "later Java versions have no security manager");
        Path policy = Files.writeString(
                directory.resolve("policy"),
                "grant { permission java.lang.RuntimePermission \"setSecurityManager\";"
                        + " permission java.net.SocketPermission \"*\", \"connect,accept,listen\";"
                        + " permission java.util.PropertyPermission \"guarded\", \"read\"; };");
        List<String> options =
                List.of("-Djava.security.manager=allow", "-Djava.security.policy=" + policy, "-Dguarded=a property");
        List<String> overTcp = start("plain", Transport.TCP, options, GuardedConversation.class)
                .awaitEnd();
        ProgramJvm soft = start("soft", Transport.SOFT, options, GuardedConversation.class);
        assertEquals(overTcp, soft.awaitEnd(), soft.errors());
        assertEquals(7, overTcp.size(), overTcp::toString);
        assertTrue(overTcp.containsAll(CONVERSED) && overTcp.contains("cached, for the program: reads a property"));
        assertEquals(6, Transport.connections(soft.statistics(), "tcp"), soft::quoted);
    }

    private static void assertRefusedByTheJvm(ProgramJvm jvm) throws Exception {
        String output = String.join("\n", jvm.awaitOutput());
        assertEquals(1, jvm.awaitCode());
        assertTrue(output.contains("Enabling a Security Manager is not supported"), output + jvm.errors());
    }
}
