package org.exsockets.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is written is what is read, whatever it is, and whoever has written it. */
class ReportTest {
    private final ByteBuffer memory = ByteBuffer.allocate(1_000);
    private final Report report = new Report(memory);

    private static List<Report.Line> read(String text) {
        return Report.read(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatIsWrittenIsRead() {
        report.begin(Report.CONNECTION);
        report.put("a", -5);
        report.put("b", "x=y z\u00e9");
        assertTrue(report.end());
        report.begin(Report.LISTENER);
        assertTrue(report.end());
        assertEquals(
                List.of(
                        new Report.Line(Report.CONNECTION, Map.of("a", "-5", "b", "x=y z\u00e9")),
                        new Report.Line(Report.LISTENER, Map.of())),
                Report.read(memory));
    }

    /** A name of a thread may have them. */
    @Test
    void separatorsInValuesDoNotSeparate() {
        report.begin(Report.CONNECTION);
        report.put("reader", "a\tb=1\nlistener\0");
        report.end();
        assertEquals(
                List.of(new Report.Line(Report.CONNECTION, Map.of("reader", "a b=1 listener "))), Report.read(memory));
    }

    @Test
    void aReportWithoutRoomSaysSo() {
        memory.limit(60);
        report.begin(Report.CONNECTION);
        report.put("a", "12345678901234567890");
        assertTrue(report.end());
        assertFalse(report.end());
        assertFalse(report.end());
        List<Report.Line> lines = Report.read(memory);
        assertEquals(2, lines.size());
        assertEquals(Report.CUT, lines.get(1).kind());
    }

    @Test
    void whatAnotherProcessHasWrittenControlsNoTerminal() {
        assertEquals("?[31m", read("connection\ta=\033[31m\n").get(0).get("a"));
        assertEquals(List.of(new Report.Line("", Map.of())), read(""));
        assertEquals(Map.of(), read("connection\t=\t\tb\t=c").get(0).values());
        assertEquals(0, read("connection\ta=1e9").get(0).number("a"));
    }
}
