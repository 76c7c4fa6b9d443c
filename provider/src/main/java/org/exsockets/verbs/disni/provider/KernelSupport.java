package org.exsockets.verbs.disni.provider;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.exsockets.verbs.disni.memory.GrowthBudget;
import org.exsockets.verbs.disni.memory.LockedMemory;

/**
 * What the kernel offers for RDMA, read from {@code /sys}, {@code /proc} and {@code /dev}: available even if no library
 * loads. Used by one thread.
 */
final class KernelSupport {
    private static final long FEW_CONNECTIONS = 100;
    private static final long MIB = 1 << 20;

    private final Path root;
    private final List<Finding> findings = new ArrayList<>();

    private KernelSupport(Path root) {
        this.root = root;
    }

    /** @param root of the file system: the real one, except in tests */
    static List<Finding> examine(Path root) {
        KernelSupport kernel = new KernelSupport(root);
        kernel.modules();
        kernel.deviceFiles();
        kernel.adapters();
        kernel.lockedMemory();
        return kernel.findings;
    }

    private void modules() {
        for (String module : List.of("ib_uverbs", "rdma_ucm")) {
            boolean there = Files.isDirectory(root.resolve("sys/module").resolve(module));
            add(
                    there ? Severity.GOOD : Severity.PROBLEM,
                    "kernel module " + module + (there ? " is loaded" : " is not loaded"),
                    there ? "" : "As root: modprobe " + module + " (in a container: on the host)");
        }
    }

    private void deviceFiles() {
        Path directory = root.resolve("dev/infiniband");
        List<String> files = names(directory);
        boolean complete = files.contains("rdma_cm") && files.stream().anyMatch(file -> file.startsWith("uverbs"));
        if (!complete) {
            add(
                    Severity.PROBLEM,
                    "/dev/infiniband has " + (files.isEmpty() ? "nothing" : String.join(", ", files))
                            + "; rdma_cm and uverbs0 (or another number) are needed",
                    "Load the modules and the adapter's driver; give them to a container with --device=/dev/infiniband");
            return;
        }
        List<String> forbidden = new ArrayList<>();
        for (String file : files) {
            boolean ours = file.equals("rdma_cm") || file.startsWith("uverbs");
            Path path = directory.resolve(file);
            if (ours && !(Files.isReadable(path) && Files.isWritable(path))) {
                forbidden.add(file);
            }
        }
        boolean good = forbidden.isEmpty();
        add(
                good ? Severity.GOOD : Severity.PROBLEM,
                "/dev/infiniband has " + String.join(", ", files)
                        + (good ? "" : "; this user may not open " + String.join(", ", forbidden)),
                good
                        ? ""
                        : "As root: chmod 666 /dev/infiniband/rdma_cm /dev/infiniband/uverbs* (rdma-core's udev rules do)");
    }

    private void adapters() {
        Path all = root.resolve("sys/class/infiniband");
        List<String> adapters = names(all);
        if (adapters.isEmpty()) {
            add(
                    Severity.PROBLEM,
                    "this machine has no RDMA adapter",
                    "If it should have one, load its driver (lspci; dmesg). To try EXS without one, as root:"
                            + " modprobe rdma_rxe; rdma link add rxe0 type rxe netdev eth0");
        }
        List<Port> ports = new ArrayList<>();
        for (String adapter : adapters) {
            for (String port : names(all.resolve(adapter).resolve("ports"))) {
                ports.add(port(adapter, port, all.resolve(adapter)));
            }
        }
        // Many adapters have a port that is not used.
        boolean enough = ports.stream().anyMatch(port -> port.advice.isEmpty());
        for (Port port : ports) {
            Severity otherwise = enough ? Severity.NOTE : Severity.PROBLEM;
            add(port.advice.isEmpty() ? Severity.GOOD : otherwise, port.text, port.advice);
        }
    }

    /** State of a port, and advice on what it lacks; empty if it lacks nothing. */
    private record Port(String text, String advice) {}

    private static Port port(String adapter, String number, Path device) {
        Path port = device.resolve("ports").resolve(number);
        String state = read(port.resolve("state")).replaceFirst("^\\d+: ", "");
        String kind = read(device.resolve("node_type"));
        boolean iwarp = kind.endsWith("RNIC");
        TreeSet<String> interfaces = interfaces(device, port);
        TreeSet<String> types = new TreeSet<>();
        for (String index : names(port.resolve("gid_attrs/types"))) {
            types.add(read(port.resolve("gid_attrs/types").resolve(index)));
        }
        types.remove("");
        List<String> addresses = addresses(interfaces);
        String text = "adapter " + adapter + " port " + number + ": " + state + ", "
                + (iwarp ? "iWARP" : read(port.resolve("link_layer")))
                + (types.isEmpty() ? "" : " (" + String.join(", ", types) + ")") + ", " + read(port.resolve("rate"))
                + ", interface " + (interfaces.isEmpty() ? "unknown" : String.join(", ", interfaces)) + ", addresses "
                + (addresses.isEmpty() ? "none" : String.join(", ", addresses));
        String advice = "";
        if (!iwarp && !kind.endsWith("CA")) {
            advice = "It has no reliable connections (node_type " + kind + "): its destinations are TCP's";
        } else if (!state.equals("ACTIVE")) {
            advice = "If it is to be used, bring the link up: cable, switch, ip link set DEV up; on InfiniBand a subnet"
                    + " manager must run";
        } else if (addresses.isEmpty()) {
            advice = "If it is to be used, give its interface an IP address: ip addr add ADDRESS/PREFIX dev DEV";
        } else if (iwarp) {
            advice = hasRoce(device)
                    ? "The adapter is in iWARP mode, where EXS does not serve it. RoCE serves, at both ends: devlink dev param"
                            + " set pci/ADDRESS name enable_iwarp value false cmode runtime, then enable_roce value true"
                    : "EXS writes with immediate data, which most iWARP adapters cannot: leave its destinations on TCP";
        }
        return new Port(text, advice);
    }

    /** {@return whether an iWARP adapter has RoCE as its other mode: Intel's E800 series} */
    private static boolean hasRoce(Path device) {
        try {
            return device.resolve("device/driver").toRealPath().endsWith("ice");
        } catch (IOException unknown) {
            return false;
        }
    }

    /** {@return the network interfaces whose addresses lead to the port} */
    private static TreeSet<String> interfaces(Path device, Path port) {
        TreeSet<String> interfaces = new TreeSet<>(names(device.resolve("device/net")));
        interfaces.add(read(device.resolve("parent")));
        for (String index : names(port.resolve("gid_attrs/ndevs"))) {
            interfaces.add(read(port.resolve("gid_attrs/ndevs").resolve(index)));
        }
        interfaces.remove("");
        return interfaces;
    }

    private static List<String> addresses(TreeSet<String> interfaces) {
        List<String> addresses = new ArrayList<>();
        for (String name : interfaces) {
            try {
                NetworkInterface known = NetworkInterface.getByName(name);
                if (known != null) {
                    known.inetAddresses().map(InetAddress::getHostAddress).forEach(addresses::add);
                }
            } catch (IOException gone) {
                // It counts as one without addresses.
            }
        }
        return addresses;
    }

    private void lockedMemory() {
        if (LockedMemory.isExempt(root)) {
            add(Severity.GOOD, "locked memory: no limit for this process (CAP_IPC_LOCK)", "");
            return;
        }
        String limit = LockedMemory.limit(root);
        if (!limit.matches("\\d+")) {
            add(Severity.GOOD, "locked memory: " + (limit.isEmpty() ? "unknown" : limit), "");
            return;
        }
        long bytes = Long.parseLong(limit);
        long each = ConnectionSizes.usual().lockedBytes(LockedMemory.pageBytes(root));
        long growth = GrowthBudget.bytes(root);
        long connections = (bytes - growth) / each;
        add(
                connections == 0 ? Severity.PROBLEM : connections < FEW_CONNECTIONS ? Severity.NOTE : Severity.GOOD,
                "locked memory: limit " + (bytes >= MIB ? bytes / MIB + " MiB" : (bytes >> 10) + " KiB")
                        + ": room for about " + connections + " connections over adapters with the default exs.buffer ("
                        + ((each + 1023) >> 10) + " KiB each with the queues of mlx5, and "
                        + (growth >> 10) + " KiB for hidden buffers that grow)",
                connections < FEW_CONNECTIONS
                        ? "Raise it: ulimit -l unlimited (memlock in /etc/security/limits.conf, LimitMEMLOCK=infinity for"
                                + " systemd, --ulimit memlock=-1 for Docker), or set a smaller exs.buffer"
                        : "");
    }

    /** {@return the sorted names in a directory; empty if it cannot be read} */
    private static List<String> names(Path directory) {
        String[] names = directory.toFile().list();
        return names == null ? List.of() : Stream.of(names).sorted().toList();
    }

    /** {@return the text of a file without blanks at its ends; empty if it cannot be read} */
    private static String read(Path file) {
        try {
            return SmallFiles.read(file).strip();
        } catch (IOException notThere) {
            return "";
        }
    }

    private void add(Severity severity, String text, String advice) {
        findings.add(new Finding(severity, text, advice));
    }
}
