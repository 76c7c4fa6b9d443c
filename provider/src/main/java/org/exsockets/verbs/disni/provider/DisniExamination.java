package org.exsockets.verbs.disni.provider;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.exsockets.verbs.disni.CmEventDescriptor;
import org.exsockets.verbs.disni.DeviceAttributes;
import org.exsockets.verbs.disni.NativeLibrary;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.data.AdapterNeeds;
import org.jspecify.annotations.Nullable;

/**
 * What RDMA adapters need on this machine, and whether one leads to a destination. Everything made for this is
 * destroyed again; nothing is sent but the resolution of the destination's address. Used by one thread.
 */
final class DisniExamination {
    private final DeviceOptions options;
    private final List<Finding> findings = new ArrayList<>();

    private DisniExamination(DeviceOptions options) {
        this.options = options;
    }

    /** @param target a destination to judge, too, or null */
    static List<Finding> examine(DeviceOptions options, @Nullable InetSocketAddress target) {
        DisniExamination examination = new DisniExamination(options);
        examination.findings.addAll(KernelSupport.examine(Path.of("/")));
        if (examination.libraries() && examination.adapters() && target != null) {
            examination.target(target);
        }
        return examination.findings;
    }

    private boolean libraries() {
        try {
            NativeLibrary.use(options);
            NativeLibrary.load();
            add(Severity.GOOD, "libibverbs, librdmacm and the native library of EXS are loaded", "");
            return true;
        } catch (VerbsException e) {
            add(
                    Severity.PROBLEM,
                    message(e),
                    "Install rdma-core's libraries: apt-get install libibverbs1 librdmacm1 ibverbs-providers, or"
                            + " dnf install libibverbs librdmacm");
        } catch (IOException | RuntimeException | LinkageError e) {
            add(
                    Severity.PROBLEM,
                    "the native library of EXS cannot be loaded: " + message(e),
                    "It is unpacked to a directory that must allow execution (no mount option noexec): name one with"
                            + " exs.native, or an installed libdisni.so with exs.disni");
        }
        return false;
    }

    private boolean adapters() {
        try {
            String[] names = Verbs.deviceNames();
            boolean any = false;
            for (String name : names) {
                any |= adapter(name);
            }
            if (!any && names.length > 0) {
                add(Severity.PROBLEM, "no adapter of this machine can be used", "Connections to other hosts are TCP's");
            }
            return any;
        } catch (IOException | RuntimeException e) {
            add(Severity.PROBLEM, "adapters cannot be listed: " + message(e), "");
            return false;
        }
    }

    /** {@return whether it may serve} */
    private boolean adapter(String name) {
        try {
            DeviceAttributes about = DeviceAttributes.of(name);
            findings.addAll(AdapterFindings.of(about));
            return AdapterNeeds.lack(about) == null;
        } catch (IOException | RuntimeException e) {
            add(
                    Severity.PROBLEM,
                    "adapter " + name + " cannot be opened: " + message(e),
                    "Its user-space driver may be missing: apt-get install ibverbs-providers, or dnf install libibverbs");
            return false;
        }
    }

    private void target(InetSocketAddress target) {
        String host = target.getAddress().getHostAddress();
        try {
            add(Severity.GOOD, "an adapter leads to " + host + ": " + resolve(target), "");
        } catch (IOException | RuntimeException e) {
            add(
                    Severity.PROBLEM,
                    "no adapter leads to " + host + ": " + message(e),
                    "The route to it (ip route get " + host
                            + ") must leave through the interface of an adapter, and the"
                            + " host must answer there (ping); loopback addresses never do");
        }
    }

    /** {@return the adapter and the address on the way to {@code target}, as the connection manager resolves it} */
    private String resolve(InetSocketAddress target) throws IOException {
        long channel = Verbs.createEventChannel();
        try {
            long id = Verbs.createId(channel);
            try {
                byte[] address = target.getAddress().getAddress();
                int scope = target.getAddress() instanceof Inet6Address ipv6 ? ipv6.getScopeId() : 0;
                // The port of a destination plays no part in resolving its address.
                int port = target.getPort() == 0 ? 1 : target.getPort();
                Verbs.resolveAddress(id, null, 0, address, scope, port, options.connectTimeoutMs());
                await(channel, CmEventDescriptor.ADDR_RESOLVED, "its address does not resolve over RDMA");
                String lack = AdapterNeeds.lack(DeviceAttributes.of(Verbs.context(id)));
                if (lack != null) {
                    throw new IOException(Verbs.deviceName(Verbs.context(id)) + " cannot be used: " + lack);
                }
                Verbs.resolveRoute(id, options.connectTimeoutMs());
                await(channel, CmEventDescriptor.ROUTE_RESOLVED, "there is no RDMA route");
                return Verbs.deviceName(Verbs.context(id)) + " port " + Verbs.devicePort(id) + ", from "
                        + text(Verbs.sourceAddress(id));
            } finally {
                Verbs.destroyId(id);
            }
        } finally {
            Verbs.destroyEventChannel(channel);
        }
    }

    private void await(long channel, int expected, String otherwise) throws IOException {
        int[] descriptors = {Verbs.eventDescriptor(channel)};
        ByteBuffer event = CmEventDescriptor.allocate();
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.connectTimeoutMs());
        while (!Verbs.nextCmEvent(channel, event)) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                throw new IOException(otherwise + " within exs.timeout=" + options.connectTimeoutMs() + " ms");
            }
            Verbs.waitFor(descriptors, new boolean[1], (int) leftMs);
        }
        if (event.getInt(CmEventDescriptor.TYPE_OFFSET) != expected) {
            throw new IOException(otherwise + " (event " + event.getInt(CmEventDescriptor.TYPE_OFFSET) + ", status "
                    + event.getInt(CmEventDescriptor.STATUS_OFFSET) + ")");
        }
    }

    private static String text(byte[] addressAndPort) throws IOException {
        byte[] address = Arrays.copyOf(addressAndPort, addressAndPort.length - 2);
        return InetAddress.getByAddress(address).getHostAddress();
    }

    private static String message(Throwable e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    private void add(Severity severity, String text, String advice) {
        findings.add(new Finding(severity, text, advice));
    }
}
