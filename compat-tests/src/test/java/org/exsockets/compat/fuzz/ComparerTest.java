package org.exsockets.compat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparerTest {
    private static String difference(String operation, String overTcp, String overExs) {
        FuzzProgram program = FuzzProgram.parse(List.of(operation));
        return Comparer.difference(program, trace(overTcp), trace(overExs));
    }

    private static Trace trace(String observed) {
        Trace trace = new Trace();
        trace.add(1, 1, observed);
        return trace;
    }

    @Test
    void valuesClassesAndMessagesCount() {
        assertNull(difference("1 A s1 read heap 5", "5 abc", "5 abc"));
        assertNotNull(difference("1 A s1 read heap 5", "5 abc", "5 abd"));
        assertNotNull(difference("1 A s1 read heap 5", "blocked", "5 abc"));
        assertNotNull(difference(
                "1 A s1 read heap 5", "!java.io.IOException: Broken pipe", "!java.net.SocketException: Broken pipe"));
    }

    @Test
    void momentOfAnObservationCounts() {
        FuzzProgram program = FuzzProgram.parse(List.of("1 A s1 read heap 5", "2 B s2 close"));
        Trace now = new Trace();
        now.add(1, 1, "-1");
        Trace later = new Trace();
        later.add(2, 1, "-1");
        assertNotNull(Comparer.difference(program, now, later));
        assertNotNull(Comparer.difference(program, now, new Trace()));
    }

    @Test
    void sizesOfBuffersMayDiffer() {
        assertNull(difference("1 A s1 get SO_SNDBUF", "2626560", "16384"));
        assertNotNull(difference("1 A s1 get SO_SNDBUF", "2626560", "!java.nio.channels.ClosedChannelException"));
        assertNotNull(difference("1 A s1 get SO_LINGER", "5", "6"));
    }

    @Test
    void muchIsAsMuchAsAnythingElseButLittleIsExact() {
        assertNull(difference("1 A s1 available", "128000", "262144"));
        assertNotNull(difference("1 A s1 available", "100", "101"));
        assertNotNull(difference("1 A s1 available", "128000", "100"));
    }

    @Test
    void howMuchOfALargeWriteHasGoneMayDiffer() {
        assertNull(difference("1 A s1 write heap 8388608", "4157547", "262144"));
        assertNotNull(difference("1 A s1 write heap 8388608", "8388608", "262144"));
        assertNotNull(difference("1 A s1 write heap 5000", "5000", "4000"));
        assertNotNull(difference("1 A s1 read heap 8388608", "4157547", "262144"));
    }

    @Test
    void behindAFloodTheEndOfAConnectionMayBeAResetOrABrokenPipe() {
        String reset = "!java.io.IOException: Connection reset by peer";
        String pipe = "!java.io.IOException: Broken pipe";
        FuzzProgram flooded = FuzzProgram.parse(List.of("1 A s1 write heap 5", "2 B s2 write heap 8388608"));
        assertNull(Comparer.difference(flooded, trace(reset), trace(pipe)));
        assertNotNull(Comparer.difference(flooded, trace("5"), trace(pipe)));
        assertNotNull(Comparer.difference(flooded, trace(reset), trace("!java.net.SocketException: Broken pipe")));
        assertNotNull(difference("1 A s1 write heap 5", reset, pipe));
        assertNotNull(difference("1 A s1 write heap 5000", reset, pipe));
    }

    @Test
    void behindAFloodMoreMayBeReadThanBeforeTcpsReset() {
        String reset = "many !java.net.SocketException: Connection reset";
        String end = "many end";
        FuzzProgram flooded = FuzzProgram.parse(List.of("1 A s1 toend s2 heap", "2 B s2 write heap 8388608"));
        assertNull(Comparer.difference(flooded, trace(reset), trace(end)));
        assertNotNull(Comparer.difference(flooded, trace(end), trace(reset)));
        assertNotNull(Comparer.difference(flooded, trace(end), trace("5 end")));
        assertNotNull(difference("1 A s1 toend s2 heap", reset, end));
    }

    @Test
    void implementingClassesMayDifferButNotWhatFollows() {
        String tcp = "open :p1 sun.nio.ch.UnixAsynchronousSocketChannelImpl[connected local=:p1]";
        assertNull(difference(
                "1 A s1 state", tcp, "open :p1 org.exsockets.aio.ExsAsynchronousSocketChannel[connected local=:p1]"));
        assertNotNull(difference(
                "1 A s1 state", tcp, "open :p1 org.exsockets.aio.ExsAsynchronousSocketChannel[connected local=:p2]"));
    }

    @Test
    void portsHaveTheNamesOfTheirOrder() {
        Symbols symbols = new Symbols();
        assertEquals("/127.0.0.1:p1", symbols.named("/127.0.0.1:43211"));
        assertEquals("port=p2,localport=p1", symbols.named("port=5555,localport=43211"));
    }
}
