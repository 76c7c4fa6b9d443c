package org.exsockets.verbs.soft;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.copy.NativeCopy;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.meet.ListenerNames;
import org.exsockets.verbs.soft.meet.LocalAddresses;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.jspecify.annotations.Nullable;

/** Checks what the software device needs on this machine, and changes nothing. Used by one thread. */
final class SoftExamination {
    private static final long MIB = 1 << 20;

    /** Less than this is soon used up. */
    private static final long FEW_BYTES = 64 * MIB;

    private final DeviceOptions options;
    private final EndpointParameters parameters;
    private final List<Finding> findings = new ArrayList<>();

    private SoftExamination(DeviceOptions options, EndpointParameters parameters) {
        this.options = options;
        this.parameters = parameters;
    }

    static List<Finding> examine(
            DeviceOptions options, EndpointParameters parameters, @Nullable InetSocketAddress target) {
        SoftExamination examination = new SoftExamination(options, parameters);
        if (examination.natives()) {
            examination.space();
            examination.copies();
            if (target != null) {
                examination.target(target);
            }
        }
        return examination.findings;
    }

    private boolean natives() {
        boolean loaded = DescriptorPoll.isLoaded();
        add(
                loaded ? Severity.GOOD : Severity.PROBLEM,
                loaded
                        ? "the native library is loaded"
                        : "the native library cannot be used, and without it there is no shared memory: "
                                + DescriptorPoll.obstacle(),
                loaded ? "" : "Name a directory that is writable and not mounted noexec in exs.native");
        return loaded;
    }

    private void space() {
        MachineMemory machine = new MachineMemory();
        if (options.sharedBytes() == DeviceOptions.AUTO && machine.totalBytes() == Long.MAX_VALUE) {
            add(
                    Severity.NOTE,
                    "how much memory may be shared is unknown: there is no /proc/meminfo",
                    "Mount /proc, or set exs.memory");
            return;
        }
        long limit = new SharedBudget(machine, options.sharedBytes()).limitBytes();
        long spare = Math.max(0, machine.spareBytes());
        long free = Math.min(limit, spare);
        long segmentBytes = SegmentDescriptor.length(parameters.receiveDepth(), parameters.exposedBytes());
        add(
                free < segmentBytes ? Severity.PROBLEM : free < FEW_BYTES ? Severity.NOTE : Severity.GOOD,
                free / MIB + " MiB of memory may be shared: room for " + free / segmentBytes
                        + " more connections that use all of theirs",
                free >= FEW_BYTES
                        ? ""
                        : limit < spare
                                ? "Set a larger exs.memory: it is " + limit
                                : "Give the machine, or the container, more memory, or set a smaller exs.buffer");
    }

    private void copies() {
        boolean available = NativeCopy.available();
        add(
                available ? Severity.GOOD : Severity.NOTE,
                available
                        ? "large transfers may be copied past the caches"
                        : "large transfers are copied by ordinary stores only, slower between distant cores, and never"
                                + " straight into a program's buffers: "
                                + NativeCopy.obstacle(),
                "");
    }

    private void target(InetSocketAddress target) {
        String host = target.getAddress().getHostAddress();
        if (!new LocalAddresses().contains(target.getAddress())) {
            add(Severity.NOTE, host + " is another host: shared memory does not lead there", "");
            return;
        }
        if (target.getPort() == 0) {
            add(Severity.NOTE, host + " is this host: shared memory leads there", "");
            return;
        }
        boolean listens = ListenerNames.anybodyListens(target, parameters.maxVersion());
        add(
                listens ? Severity.GOOD : Severity.NOTE,
                host + " is this host; " + (listens ? "a program listens" : "nobody listens") + " with EXS on port "
                        + target.getPort(),
                listens
                        ? ""
                        : "Start the server with the agent, in the same network namespace, as the same user or one that exs.peers"
                                + " allows at both");
    }

    private void add(Severity severity, String text, String advice) {
        findings.add(new Finding(severity, text, advice));
    }
}
