package org.exsockets.verbs.disni.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of the kernel's part, read from a tree of files like the kernel's. */
class KernelSupportTest {
    private static final String NO_CAPABILITIES = "Name:\tjava\nCapEff:\t0000000000000000\n";

    @TempDir
    private Path root;

    @BeforeEach
    void aMachineWithOneSoftwareAdapter() throws IOException {
        Files.createDirectories(root.resolve("sys/module/ib_uverbs"));
        Files.createDirectories(root.resolve("sys/module/rdma_ucm"));
        write("dev/infiniband/rdma_cm", "");
        write("dev/infiniband/uverbs0", "");
        write("sys/class/infiniband/rxe0/node_type", "1: CA\n");
        write("sys/class/infiniband/rxe0/parent", "lo\n");
        write("sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE\n");
        write("sys/class/infiniband/rxe0/ports/1/link_layer", "Ethernet\n");
        write("sys/class/infiniband/rxe0/ports/1/rate", "2.5 Gb/sec (1X SDR)\n");
        write("sys/class/infiniband/rxe0/ports/1/gid_attrs/types/0", "RoCE v2\n");
        write("proc/self/status", NO_CAPABILITIES);
        limit("unlimited");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void limit(String soft) throws IOException {
        write("proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             96310                96310                processes
                Max locked memory         %s              8388608              bytes
                """.formatted(soft));
    }

    private List<Finding> not(Severity severity) {
        List<Finding> findings = new ArrayList<>(KernelSupport.examine(root));
        findings.removeIf(finding -> finding.severity() == severity);
        return findings;
    }

    private Finding only() {
        List<Finding> findings = not(Severity.GOOD);
        assertEquals(1, findings.size(), findings.toString());
        return findings.get(0);
    }

    @Test
    void aCompleteMachineIsGood() {
        assertEquals(List.of(), not(Severity.GOOD));
        String all = KernelSupport.examine(root).toString();
        assertTrue(
                all.contains("adapter rxe0 port 1: ACTIVE, Ethernet (RoCE v2), 2.5 Gb/sec (1X SDR), interface lo"),
                all);
        assertTrue(all.contains("127.0.0.1"), all);
    }

    @Test
    void aMissingModuleIsNamed() throws IOException {
        Files.delete(root.resolve("sys/module/rdma_ucm"));
        assertEquals("kernel module rdma_ucm is not loaded", only().text());
        assertTrue(only().advice().contains("modprobe rdma_ucm"));
    }

    @Test
    void missingDeviceFilesAreNamed() throws IOException {
        Files.delete(root.resolve("dev/infiniband/rdma_cm"));
        assertTrue(only().text().startsWith("/dev/infiniband has uverbs0; rdma_cm and uverbs0"), only().text());
        assertTrue(only().advice().contains("--device=/dev/infiniband"));
    }

    @Test
    void aPortThatIsDownIsAProblem() throws IOException {
        write("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
        assertEquals(Severity.PROBLEM, only().severity());
        assertTrue(only().text().contains("port 1: DOWN"));
        assertTrue(only().advice().contains("subnet manager"));
    }

    @Test
    void aPortWithoutAddressesIsAProblem() throws IOException {
        write("sys/class/infiniband/rxe0/parent", "nosuchif0\n");
        assertTrue(only().text().endsWith("interface nosuchif0, addresses none"), only().text());
        assertTrue(only().advice().contains("ip addr add"));
    }

    @Test
    void anIdlePortBesideAGoodOneIsNoProblem() throws IOException {
        write("sys/class/infiniband/rxe0/ports/2/state", "1: DOWN\n");
        assertEquals(Severity.NOTE, only().severity());
        assertTrue(only().text().contains("port 2: DOWN"));
    }

    @Test
    void iwarpIsToldByTheKindOfNodeAndAdvisedAgainst() throws IOException {
        write("sys/class/infiniband/rxe0/node_type", "4: RNIC\n");
        assertTrue(only().text().contains("ACTIVE, iWARP"));
        assertTrue(only().advice().contains("leave its destinations on TCP"));
    }

    @Test
    void theOtherModeOfAnIwarpAdapterIsNamed() throws IOException {
        write("sys/class/infiniband/rxe0/node_type", "4: RNIC\n");
        Files.createDirectories(root.resolve("sys/bus/pci/drivers/ice"));
        Files.createDirectories(root.resolve("sys/class/infiniband/rxe0/device"));
        Files.createSymbolicLink(
                root.resolve("sys/class/infiniband/rxe0/device/driver"), root.resolve("sys/bus/pci/drivers/ice"));
        assertTrue(only().advice().contains("name enable_iwarp value false"), only().advice());
    }

    @Test
    void aKindOfNodeWithoutReliableConnectionsIsAProblem() throws IOException {
        write("sys/class/infiniband/rxe0/node_type", "7: unspecified\n");
        assertEquals(Severity.PROBLEM, only().severity());
        assertTrue(only().advice().contains("no reliable connections"), only().advice());
    }

    @ParameterizedTest
    @CsvSource({
        "65536,     PROBLEM, 64 KiB: room for about 0",
        "8388608,   NOTE,    8 MiB: room for about 16",
        "268435456, GOOD,    256 MiB: room for about 540",
    })
    void theLimitOfLockedMemoryIsToldInConnections(String limit, Severity severity, String expected)
            throws IOException {
        limit(limit);
        List<Finding> findings = KernelSupport.examine(root);
        Finding locked = findings.get(findings.size() - 1);
        assertEquals(severity, locked.severity());
        assertTrue(locked.text().contains(expected), locked.text());
    }

    @Test
    void largePagesLeaveRoomForFewerConnections() throws IOException {
        limit("8388608");
        ByteBuffer auxiliary = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder());
        auxiliary.putLong(3).putLong(0x5555_0040).putLong(6).putLong(64 << 10);
        Files.write(root.resolve("proc/self/auxv"), auxiliary.array());
        assertTrue(only().text().contains("room for about 12 connections"), only().text());
        assertTrue(only().text().contains("576 KiB each"), only().text());
    }

    @Test
    void aProcessThatMayLockAnyAmountHasNoLimit() throws IOException {
        limit("65536");
        write("proc/self/status", "CapEff:\t000001ffffffffff\n");
        assertEquals(List.of(), not(Severity.GOOD));
    }
}
