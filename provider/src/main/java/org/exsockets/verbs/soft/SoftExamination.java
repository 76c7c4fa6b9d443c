package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.exsockets.verbs.EndpointParameters;

/** What the software device needs on this machine: looked at, not changed. Used by one thread. */
final class SoftExamination {
    private static final long MIB = 1 << 20;

    /** Less than this is soon used up. */
    private static final long FEW_BYTES = 64 * MIB;

    private final Path memory;
    private final EndpointParameters parameters;
    private final List<Finding> findings = new ArrayList<>();

    private SoftExamination(Path memory, EndpointParameters parameters) {
        this.memory = memory;
        this.parameters = parameters;
    }

    static List<Finding> examine(Path memoryFileSystem, EndpointParameters parameters, InetSocketAddress target) {
        SoftExamination examination = new SoftExamination(memoryFileSystem, parameters);
        try {
            examination.space();
            examination.directory(ProcessIdentity.own().uid());
            examination.copies();
            if (target != null) {
                examination.target(target);
            }
        } catch (IOException | RuntimeException e) {
            examination.add(Severity.PROBLEM, memoryFileSystem + " cannot be examined: " + e, "");
        }
        return examination.findings;
    }

    private void space() throws IOException {
        if (!Files.isDirectory(memory)) {
            add(Severity.PROBLEM, memory + " is not there", "Mount a tmpfs there: mount -t tmpfs tmpfs " + memory);
            return;
        }
        FileStore store = Files.getFileStore(memory);
        long free = store.getUsableSpace();
        long segmentBytes = SegmentDescriptor.length(parameters.receiveDepth(), parameters.exposedBytes());
        add(
                free < segmentBytes ? Severity.PROBLEM : free < FEW_BYTES ? Severity.NOTE : Severity.GOOD,
                memory + " (" + store.type() + "): " + free / MIB + " MiB free of " + store.getTotalSpace() / MIB
                        + " MiB: room for " + free / segmentBytes + " more connections",
                free < FEW_BYTES ? "Make it larger (Docker: --shm-size=1g), or set a smaller exs.buffer" : "");
    }

    private void directory(long uid) throws IOException {
        Path directory = memory.resolve("exs-" + uid);
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            boolean writable = Files.isWritable(memory);
            add(
                    writable ? Severity.GOOD : Severity.PROBLEM,
                    directory + " is not there yet; "
                            + (writable ? "it is made when first needed" : "it cannot be made"),
                    writable ? "" : "Allow this user to write to " + memory + " (its mode is usually 1777)");
            return;
        }
        PosixFileAttributes attributes =
                Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String mode = PosixFilePermissions.toString(attributes.permissions());
        Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        boolean good = attributes.isDirectory() && mode.equals("rwx------") && ((Number) owner).longValue() == uid;
        add(
                good ? Severity.GOOD : Severity.PROBLEM,
                directory + ": owner " + attributes.owner().getName() + ", mode " + mode
                        + (good ? "" : "; it must be a directory of this user with mode rwx------"),
                good ? "" : "Remove it (rm -r " + directory + ") when no program with EXS runs");
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

    private void target(InetSocketAddress target) throws IOException {
        LocalAddresses local = new LocalAddresses();
        String host = target.getAddress().getHostAddress();
        if (!local.contains(target.getAddress())) {
            add(Severity.NOTE, host + " is another host: shared memory does not lead there", "");
            return;
        }
        if (!Files.isDirectory(memory.resolve("exs-" + ProcessIdentity.own().uid()))) {
            add(Severity.NOTE, host + " is this host, but no program of this user has used EXS yet", "");
            return;
        }
        if (target.getPort() == 0) {
            add(Severity.NOTE, host + " is this host: shared memory leads there", "");
            return;
        }
        SoftDirectory directory = SoftDirectory.open(memory);
        boolean listens = false;
        for (int version = parameters.minVersion(); version <= parameters.maxVersion(); version++) {
            listens |= directory.names(target, version).stream().anyMatch(SoftDirectory::exists);
        }
        add(
                listens ? Severity.GOOD : Severity.NOTE,
                host + " is this host; " + (listens ? "a program listens" : "nobody listens") + " with EXS on port "
                        + target.getPort(),
                listens ? "" : "Start the server with the agent, as the same user, in the same network namespace");
    }

    private void add(Severity severity, String text, String advice) {
        findings.add(new Finding(severity, text, advice));
    }
}
