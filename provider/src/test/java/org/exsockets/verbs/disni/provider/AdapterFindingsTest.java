package org.exsockets.verbs.disni.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.exsockets.verbs.disni.DeviceAttributes;
import org.junit.jupiter.api.Test;

class AdapterFindingsTest {
    private static final int UNSPECIFIED = 4;

    private static List<Finding> of(int transport, int requests, int pageSizes) {
        return AdapterFindings.of(new DeviceAttributes(
                "x_0", 0x15b3, transport, 1000, requests, 4096, 30, 2000, 4096, pageSizes, 4096, 15));
    }

    private static void assertNote(List<Finding> findings, String start) {
        assertTrue(
                findings.stream()
                        .anyMatch(each ->
                                each.severity() == Severity.NOTE && each.text().startsWith("adapter x_0 " + start)),
                findings.toString());
    }

    @Test
    void anAdapterThatHasAllHasALineForEach() {
        List<Finding> findings = of(DeviceAttributes.INFINIBAND, 16384, 4096);
        findings.forEach(each -> assertEquals(Severity.GOOD, each.severity(), each.text()));
        assertEquals(8, findings.size(), findings.toString());
        assertEquals(
                "adapter x_0 acknowledgements: 134218 us at most (local_ca_ack_delay 15)",
                findings.get(7).text());
    }

    @Test
    void anAdapterWithoutReliableConnectionsIsNotGood() {
        List<Finding> findings = of(UNSPECIFIED, 16384, 4096);
        assertNote(findings, "cannot be used: it has no reliable connections");
        assertNote(findings, "transport: without reliable connections (4)");
        assertTrue(findings.stream().noneMatch(each -> each.text().contains("can be opened")), findings.toString());
    }

    @Test
    void ofIwarpItIsTried() {
        assertNote(of(DeviceAttributes.IWARP, 16384, 4096), "writes with immediate: not all");
    }

    @Test
    void shorterQueuesAreSaid() {
        assertNote(of(DeviceAttributes.INFINIBAND, 100, 4096), "queue pairs: 100 requests");
        assertNote(of(DeviceAttributes.INFINIBAND, 50, 4096), "cannot be used: its queues are too short");
    }

    @Test
    void pagesThatAreNotTakenAreSaid() {
        assertNote(
                of(DeviceAttributes.INFINIBAND, 16384, 65536), "cannot be used: it does not take the system's pages");
    }
}
