package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.observe.VerbsCounts;
import org.exsockets.observe.VerbsCounts.Count;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceFixture;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DevicePlace;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.disni.data.DisniQueuePair;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is asked of the kernel's connection manager, and of the adapter, for a connection. */
@Tag("rdma")
class DisniNetworkTest extends DeviceFixture {
    private static final Path BIND_V6_ONLY = Path.of("/proc/sys/net/ipv6/bindv6only");

    /** Of soft-RoCE: how often a message was refused for want of a receive. */
    private static final Path REFUSALS = Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters/send_rnr_err");

    @Override
    protected Device open() throws IOException {
        return RealDevice.get();
    }

    @Override
    protected DevicePlace place() {
        return new RealDevice.Place();
    }

    @Test
    void aDualStackListenerServesIpv4WhateverTheSystemPrefers() throws Exception {
        assumeTrue(Files.isWritable(BIND_V6_ONLY), "only root may change what the system prefers");
        String preferred = Files.readString(BIND_V6_ONLY);
        InetAddress any = InetAddress.getByName("::");
        try (ServerSocket port = new ServerSocket(0)) {
            DeviceListener both;
            Files.writeString(BIND_V6_ONLY, "1");
            try {
                both = device().listen(new InetSocketAddress(any, port.getLocalPort()), true, 5, PARAMETERS);
            } finally {
                Files.writeString(BIND_V6_ONLY, preferred);
            }
            InetSocketAddress overIpv4 = new InetSocketAddress(host(), port.getLocalPort());
            ended(device().connect(client(1), overIpv4, PARAMETERS));
            accept(both);
            both.close();
        }
    }

    @Test
    void aMessageWithoutAReceiveIsRepeated() throws Exception {
        assumeTrue(Files.exists(REFUSALS), "no soft-RoCE, or one that does not count");
        Pair pair = connect();
        for (int i = 0; i <= DEPTH; i++) { // One receive is for the farewell.
            post(pair.a(), new WorkRequest().send(ByteBuffer.allocate(1), 0, 1));
        }
        long before = refusals();
        new WorkRequest().send(ByteBuffer.allocate(1), 0, 1).postTo(pair.a().queuePair());
        assertEquals(Status.RNR_RETRY_EXC_ERR, poll(pair.a()).status);
        assertEquals(1 + 6, refusals() - before);
    }

    /** An idle connection would never learn that the way to its peer is gone. */
    @Test
    void whenTheAddressesOfTheAdapterChangeThePeersAreProbed() throws Exception {
        assumeTrue(Files.exists(REFUSALS), "no soft-RoCE, whose addresses are the network interface's");
        Pair pair = connect();
        NetworkInterface nic = NetworkInterface.getByInetAddress(host());
        ip("add", nic);
        try {
            for (Endpoint end : List.of(pair.a(), pair.b())) {
                VerbsCounts counts = ((DisniQueuePair) end.queuePair()).counts();
                waitFor(() -> counts.get(Count.RDMA_WRITE) > 0 ? end : null);
                assertFalse(end.queuePair().inError());
            }
        } finally {
            ip("del", nic);
        }
    }

    @Test
    void withKeepAliveAnIdlePeerIsProbedAgainAndAgain() throws Exception {
        Pair pair = connect();
        pair.a().queuePair().keepAlive(1);
        VerbsCounts counts = ((DisniQueuePair) pair.a().queuePair()).counts();
        waitFor(() -> counts.get(Count.RDMA_WRITE) >= 2 ? counts : null);
        pair.a().queuePair().keepAlive(-1);
        connect(); // The device's thread has heard that, too.
        long probed = counts.get(Count.RDMA_WRITE);
        Thread.sleep(2_500);
        assertEquals(probed, counts.get(Count.RDMA_WRITE));
        assertFalse(pair.a().queuePair().inError());
    }

    private static void ip(String what, NetworkInterface nic) throws Exception {
        Process run = new ProcessBuilder("ip", "address", what, "192.0.2.77/32", "dev", nic.getName())
                .inheritIO()
                .start();
        assertEquals(0, run.waitFor());
    }

    private static long refusals() throws IOException {
        return Long.parseLong(Files.readString(REFUSALS).trim());
    }
}
