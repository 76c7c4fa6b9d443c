package org.exsockets.verbs.disni.provider;

import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.exsockets.verbs.disni.DeviceAttributes;
import org.exsockets.verbs.disni.data.AdapterNeeds;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.jspecify.annotations.Nullable;

/** What an adapter tells of itself beside what a connection needs: one line for each attribute. Any thread. */
final class AdapterFindings {
    private static final double ACK_UNIT_US = 4.096;

    private final DeviceAttributes about;
    private final List<Finding> findings = new ArrayList<>();

    private AdapterFindings(DeviceAttributes about) {
        this.about = about;
    }

    static List<Finding> of(DeviceAttributes about) {
        AdapterFindings findings = new AdapterFindings(about);
        findings.all();
        return findings.findings;
    }

    private void all() {
        String lack = AdapterNeeds.lack(about);
        if (lack != null) {
            add(Severity.NOTE, "cannot be used: " + lack, "EXS leaves it alone: its destinations are TCP's");
        } else {
            add(
                    Severity.GOOD,
                    "can be opened: mtu " + about.mtuBytes() + ", up to " + about.queuePairs() + " queue pairs, "
                            + about.regions() + " memory regions",
                    "");
        }
        boolean iwarp = about.transport() == DeviceAttributes.IWARP;
        need("transport", transport(), lack == null, null);
        need(
                "writes with immediate",
                iwarp ? "not all iWARP adapters have them; the first connection tries" : "as its transport demands",
                lack == null,
                iwarp ? "If this one has none, its destinations are TCP's (no-rdma-route)" : null);
        int usual = ConnectionSizes.usual().receiveDepth();
        boolean shorter = AdapterNeeds.deepest(about) < usual;
        String less = shorter ? "Connections get shorter queues: fewer small writes are under way at a time" : null;
        need(
                "queue pairs",
                about.requests() + " requests under way (max_qp_wr), of which a connection uses "
                        + ConnectionSizes.sendDepth(usual),
                true,
                less);
        need(
                "completion queues",
                about.completions() + " completions (max_cqe), of which a connection uses "
                        + ConnectionSizes.completions(usual),
                true,
                less);
        need("elements", about.elements() + " of a request (max_sge), of which one is used", true, null);
        need(
                "pages",
                about.systemPageBytes() + " bytes, as the system's, are "
                        + (about.pageSizes() == 0
                                ? "not among what it tells"
                                : (about.pageSizes() & about.systemPageBytes()) != 0 ? "taken" : "not taken"),
                true,
                null);
        need(
                "acknowledgements",
                "%.0f us at most (local_ca_ack_delay %d)"
                        .formatted(ACK_UNIT_US * (1L << about.ackDelay()), about.ackDelay()),
                true,
                null);
    }

    private String transport() {
        return switch (about.transport()) {
            case DeviceAttributes.INFINIBAND -> "InfiniBand or RoCE";
            case DeviceAttributes.IWARP -> "iWARP";
            default -> "without reliable connections (" + about.transport() + ")";
        };
    }

    private void need(String what, String text, boolean good, @Nullable String advice) {
        add(good && advice == null ? Severity.GOOD : Severity.NOTE, what + ": " + text, advice == null ? "" : advice);
    }

    private void add(Severity severity, String text, String advice) {
        findings.add(new Finding(severity, "adapter " + about.name() + " " + text, advice));
    }
}
