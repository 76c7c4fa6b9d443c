package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.exsockets.agent.programs.Recorded;
import org.junit.jupiter.api.io.TempDir;

/** What Java Flight Recorder is told of a program over TCP and over EXS. */
class FlightRecorderIT {
    private static final List<String> JDKS = List.of("jdk.SocketRead", "jdk.SocketWrite");
    private static final List<String> OURS = List.of(
            "exs.Connect", "exs.Accept", "exs.Fallback", "exs.Close", "exs.BufferGrowth", "exs.Phase", "exs.Wait");

    /** Of a write of a megabyte ahead, read in pieces: how many there are may differ. */
    private static final long LARGE = 1 << 20;

    @TempDir
    Path directory;

    @OnEachJdk
    void transfersAreToldAsOverTcp(Path jdk) throws Exception {
        assertEquals(transfers(record(ChildJvm.of(jdk))), transfers(record(withAgent(jdk))));
    }

    @OnEachJdk
    void whatOnlyExsHasIsToldBesides(Path jdk) throws Exception {
        Map<String, List<RecordedEvent>> events = record(withAgent(jdk));
        RecordedEvent connect = events.get("exs.Connect").get(0);
        assertEquals("soft", connect.getString("device"));
        assertTrue(connect.getString("peer").startsWith("127.0.0.1:"), connect.toString());
        assertEquals("soft", events.get("exs.Accept").get(0).getString("device"));
        assertEquals(4, events.get("exs.Close").size(), "both ends of two connections");
        RecordedEvent close = events.get("exs.Close").stream()
                .filter(each -> each.getLong("sentIndirect") > LARGE)
                .findFirst()
                .orElseThrow();
        assertEquals("127.0.0.1", close.getString("peer"));
        assertTrue(close.getString("ends").contains("CLOSED"), close.toString());
        RecordedEvent fallback = events.get("exs.Fallback").get(0);
        assertEquals("connect no-listener", fallback.getString("what") + " " + fallback.getString("reason"));
        RecordedEvent growth = events.get("exs.BufferGrowth").get(0);
        assertTrue(growth.getInt("length") > 256 << 10, growth.toString());
        assertTrue(events.get("exs.Wait").stream().anyMatch(each -> each.getBoolean("reading")), events.toString());
    }

    private static ChildJvm withAgent(Path jdk) {
        return ChildJvm.of(jdk).agent(TestJars.agent());
    }

    /** {@return what was told, by name} */
    private Map<String, List<RecordedEvent>> record(ChildJvm program) throws Exception {
        StringBuilder settings =
                new StringBuilder("<?xml version='1.0' encoding='UTF-8'?><configuration version='2.0'>");
        for (List<String> names : List.of(JDKS, OURS)) {
            for (String name : names) {
                settings.append("<event name='")
                        .append(name)
                        .append(
                                "'><setting name='enabled'>true</setting><setting name='threshold'>0 ms</setting></event>");
            }
        }
        Path chosen = Files.writeString(directory.resolve("all.jfc"), settings.append("</configuration>"));
        Path file = directory.resolve("recording.jfr");
        ChildJvm.Outcome outcome = program.jvm(
                        "-Xlog:disable", "-XX:StartFlightRecording=filename=" + file + ",settings=" + chosen)
                .run(Recorded.class);
        assertEquals(0, outcome.status(), outcome.err());
        Map<String, List<RecordedEvent>> events = new TreeMap<>();
        List<RecordedEvent> all = RecordingFile.readAllEvents(file); // In the order in which threads gave up buffers.
        all.sort(Comparator.comparing(RecordedEvent::getEndTime));
        for (RecordedEvent event : all) {
            events.computeIfAbsent(event.getEventType().getName(), name -> new ArrayList<>())
                    .add(event);
        }
        return events;
    }

    /** {@return each small transfer, in the order in which they ended, and how much the large ones moved} */
    private static List<String> transfers(Map<String, List<RecordedEvent>> events) {
        List<String> told = new ArrayList<>();
        for (String name : JDKS) {
            boolean reads = name.equals("jdk.SocketRead");
            long rest = 0;
            for (RecordedEvent event : events.getOrDefault(name, List.of())) {
                long bytes = event.getLong(reads ? "bytesRead" : "bytesWritten");
                assertTrue(event.getInt("port") > 0, event.toString());
                boolean ends = reads && event.getBoolean("endOfStream");
                if (bytes > 1_000 || bytes == 0 && !ends) {
                    rest += bytes;
                } else {
                    told.add(name + " " + event.getString("host") + " " + event.getString("address") + " " + bytes
                            + (ends ? " end" : ""));
                }
            }
            told.add(name + " in large pieces: " + rest);
        }
        return told;
    }
}
