package org.exsockets.rendezvous;

import static org.exsockets.rendezvous.RendezvousFixture.LOOPBACK;
import static org.exsockets.rendezvous.RendezvousFixture.REMOTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor says would be used. */
class OutlookTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // device, rule, soft says, disni says: is it a problem, and what is used
                "auto,  -,   LIKELY,      LIKELY,      GOOD,    shared memory",
                "auto,  -,   NOT_LOCAL,   LIKELY,      NOTE,    TCP",
                "auto,  -,   NO_LISTENER, LIKELY,      NOTE,    TCP",
                "auto,  exs, NOT_LOCAL,   LIKELY,      GOOD,    an RDMA adapter",
                "auto,  exs, NOT_LOCAL,   NO_ROUTE,    PROBLEM, TCP",
                "auto,  tcp, LIKELY,      LIKELY,      GOOD,    TCP",
                "soft,  exs, NOT_LOCAL,   LIKELY,      PROBLEM, TCP",
                "disni, -,   LIKELY,      LIKELY,      NOTE,    TCP",
                "disni, exs, LIKELY,      LIKELY,      GOOD,    an RDMA adapter",
                "none,  exs, LIKELY,      LIKELY,      GOOD,    TCP",
            })
    void theFirstNoteSaysWhatWouldBeUsed(
            String device, String verdict, String softSays, String disniSays, Severity kind, String used) {
        RendezvousFixture fixture = verdict == null
                ? RendezvousFixture.of(directory, device)
                : RendezvousFixture.of(directory, device, "both * * " + verdict);
        fixture.soft.says(softSays);
        fixture.disni.says(disniSays);
        Finding first = fixture.outlook().connect(REMOTE).get(0);
        assertTrue(
                first.text().matches("A connect to 192\\.0\\.2\\.7:5000 would (try|use) " + used + ".*"), first.text());
        assertEquals(kind, first.severity(), first.text());
    }

    @Test
    void whatADeviceFindsOfTheDestinationIsTold() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "both * * exs");
        fixture.soft.says("NOT_LOCAL");
        Finding general = new Finding(Severity.GOOD, "in general", "");
        Finding particular = new Finding(Severity.PROBLEM, "no adapter leads there", "mend it");
        fixture.findings = target -> target == null ? List.of(general) : List.of(general, particular);
        List<Finding> notes = fixture.outlook().connect(REMOTE);
        assertEquals(2, notes.size());
        assertEquals(Severity.PROBLEM, notes.get(0).severity());
        assertEquals(new Finding(Severity.PROBLEM, "no adapter leads there", "mend it"), notes.get(1));
    }

    @Test
    void whatNobodyAsksForIsNoProblem() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "both 127.0.0.0/8 * exs");
        fixture.findings = target -> List.of(new Finding(Severity.PROBLEM, "no adapter", ""));
        assertEquals(
                List.of(new Finding(Severity.NOTE, "no adapter", "")),
                fixture.outlook().disni());
        RendezvousFixture asking = RendezvousFixture.of(directory, "auto", "both 10.0.0.0/8 * exs");
        asking.findings = fixture.findings;
        assertEquals(
                List.of(new Finding(Severity.PROBLEM, "no adapter", "")),
                asking.outlook().disni());
    }

    @Test
    void onlyAdaptersWithoutARuleAreAProblem() {
        List<Finding> notes = RendezvousFixture.of(directory, "disni").outlook().disni();
        assertEquals(Severity.PROBLEM, notes.get(0).severity());
        assertTrue(notes.get(0).text().contains("no rule asks for EXS"));
    }

    @Test
    void anAdapterThatCannotBeOpenedIsAProblemWhereARuleAsksForIt() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "both * * exs");
        fixture.soft.says("NOT_LOCAL");
        fixture.disniObstacle = new IOException("library missing");
        assertEquals(Severity.PROBLEM, fixture.outlook().connect(REMOTE).get(0).severity());
    }

    @Test
    void aListenerIsToldByTheRules() {
        Outlook outlook = RendezvousFixture.of(directory, "auto", "listen 192.0.2.0/24 5000 exs", "listen * 22 tcp")
                .outlook();
        Finding both = outlook.listen(REMOTE).get(0);
        assertTrue(both.text().contains("serves TCP, shared memory (soft), RDMA adapters (disni) (rule "), both.text());
        Finding byDefault = outlook.listen(LOOPBACK).get(0);
        assertTrue(byDefault.text().endsWith("serves TCP, shared memory (soft) (no listen rule matches)"));
        Finding none = outlook.listen(new InetSocketAddress("192.0.2.7", 22)).get(0);
        assertTrue(none.text().contains("serves TCP only. A rule of exs.rules asks for TCP."), none.text());
    }

    @Test
    void facesWithRulesOfTheirOwnAreToldApart() {
        Outlook outlook = RendezvousFixture.of(directory, "auto", "both * 5000 tcp nio", "both * * exs")
                .outlook();
        List<Finding> notes = outlook.listen(LOOPBACK);
        assertEquals(2, notes.size());
        assertTrue(notes.get(0).text().startsWith("By these rules a listener of net, aio on "), notes.toString());
        assertTrue(notes.get(1).text().startsWith("By these rules a listener of nio on "), notes.toString());
        assertTrue(notes.get(1).text().contains("TCP only"), notes.toString());
        assertTrue(
                outlook.connect(LOOPBACK).stream()
                        .anyMatch(note -> note.text().startsWith("A connect of nio to 127.0.0.1:5000 would use TCP.")),
                notes.toString());
    }
}
