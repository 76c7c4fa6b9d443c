package org.exsockets.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.connection.LiveConnections.Live;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.observe.Description;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The report of a process with many connections. */
class WatchSocketTest {
    private static final class Counted implements Live {
        private final int number;

        Counted(int number) {
            this.number = number;
        }

        @Override
        public void lookForLosses() {}

        @Override
        public InetSocketAddress localAddress() {
            return null;
        }

        @Override
        public void describe(Description into) {
            into.put("number", number);
        }
    }

    @Test
    void everyConnectionIsTold() {
        assertTrue(DescriptorPoll.require(), DescriptorPoll.obstacle());
        List<Live> connections = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            connections.add(new Counted(i));
        }
        ByteBuffer memory = ByteBuffer.allocate(1 << 20);
        WatchSocket.write(new Report(memory), connections, List.of(into -> into.put("local", "127.0.0.1:80")));
        List<Report.Line> lines = Report.read(memory);
        assertEquals(10_002, lines.size());
        assertEquals(Report.PROCESS, lines.get(0).kind());
        assertEquals(ProcessHandle.current().pid(), lines.get(0).number("pid"));
        assertEquals("127.0.0.1:80", lines.get(1).get("local"));
        assertEquals(9_999, lines.get(10_001).number("number"));
    }

    /** Arguments of a program may be secret. */
    @ParameterizedTest
    @CsvSource({
        "java -cp a:b -Dx=y --add-opens java.base/java.nio=ALL-UNNAMED org.example.Main --password=hidden, org.example.Main",
        "/usr/bin/java -Xmx1g -jar /srv/app.jar hidden, /srv/app.jar",
        "java -p mods -m app/org.example.Main hidden, app/org.example.Main",
        "/opt/app/bin/app hidden, /opt/app/bin/app",
        "java @file hidden, @file",
        "java -version, ''"
    })
    void ofTheCommandLineOnlyTheProgramIsTold(String command, String program) {
        assertEquals(program, OwnDescription.program(command.split(" ")));
    }
}
