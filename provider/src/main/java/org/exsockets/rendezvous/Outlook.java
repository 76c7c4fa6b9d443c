package org.exsockets.rendezvous;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.exsockets.config.DeviceChoice;
import org.exsockets.config.Face;
import org.exsockets.config.RuleDirection;
import org.exsockets.config.Settings;
import org.exsockets.config.Verdict;
import org.exsockets.observe.FallbackReason;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceProvider;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.exsockets.verbs.EndpointParameters;
import org.jspecify.annotations.Nullable;

/**
 * For the doctor: what would be used on this machine and to a destination, and why nothing better. Does not connect.
 * Used by one thread.
 */
public final class Outlook {
    private final Settings settings;
    private final Devices devices;
    private final Policy policy;
    private final EndpointParameters parameters;

    public Outlook(Settings settings) {
        this(settings, new Devices(Rendezvous.options(settings), () -> {}));
    }

    Outlook(Settings settings, Devices devices) {
        this.settings = settings;
        this.devices = devices;
        this.policy = new Policy(settings);
        this.parameters = Rendezvous.parameters(settings, Protocol.STREAM);
    }

    /** {@return whether settings and rules ask for shared memory} */
    public boolean asksForSoft() {
        return policy.mayUseSoft();
    }

    /** {@return whether settings and rules ask for RDMA adapters, for any destination} */
    public boolean asksForDisni() {
        boolean onlyDisni = settings.device() == DeviceChoice.DISNI;
        return settings.enabled()
                && settings.device().allowsDisni()
                && (onlyDisni || settings.rules().mayAskForAdapter());
    }

    /** {@return what the software device needs, and whether it is there} */
    public List<Finding> soft() {
        return examine(Devices.SOFT, null, asksForSoft());
    }

    /** {@return what RDMA adapters need, and whether it is there} */
    public List<Finding> disni() {
        List<Finding> notes = new ArrayList<>(examine(Devices.DISNI, null, asksForDisni()));
        if (settings.enabled()
                && settings.device() == DeviceChoice.DISNI
                && !settings.rules().mayAskForAdapter()) {
            notes.add(new Finding(
                    Severity.PROBLEM,
                    "exs.device=disni, but no rule asks for EXS: everything uses TCP",
                    "Name a rules file with exs.rules, with a line such as: both 10.0.0.0/8 * exs"));
        }
        return notes;
    }

    /** {@return what a device reports; nothing is a problem if the device is not asked for} */
    private List<Finding> examine(String device, @Nullable InetSocketAddress target, boolean asked) {
        DeviceProvider provider = devices.provider(device);
        if (provider == null) {
            return List.of(new Finding(asked ? Severity.PROBLEM : Severity.NOTE, "This build has no such device", ""));
        }
        List<Finding> notes = new ArrayList<>();
        for (Finding finding : provider.examine(Rendezvous.options(settings), parameters, target)) {
            Severity severity = finding.severity() == Severity.PROBLEM && !asked ? Severity.NOTE : finding.severity();
            notes.add(new Finding(severity, finding.text(), finding.advice()));
        }
        return notes;
    }

    /**
     * {@return what a connect from here to {@code target} would use, followed by the reasons}
     *
     * <p>Opens the devices that it considers.
     */
    public List<Finding> connect(InetSocketAddress target) {
        return ruledAlike(RuleDirection.CONNECT, target).stream()
                .flatMap(faces -> connect(target, faces).stream())
                .toList();
    }

    private List<Finding> connect(InetSocketAddress target, Faces faces) {
        Policy.Candidates candidates = policy.candidates(RuleDirection.CONNECT, target, faces.first);
        if (candidates.against() != null) {
            boolean asked = candidates.against() == FallbackReason.NO_RULE;
            Severity kind = asked ? Severity.NOTE : Severity.GOOD;
            return List.of(tcp(target, faces, kind, candidates.against().explanation()));
        }
        List<Finding> reasons = new ArrayList<>();
        FallbackReason against = null;
        String used = null;
        if (candidates.soft()) {
            against = against(Devices.SOFT, target);
            used = against == null ? "shared memory (soft)" : null;
            if (against != FallbackReason.NOT_LOCAL) {
                reasons.addAll(examineTarget(Devices.SOFT, target));
            }
        }
        if (used == null && candidates.disni()) {
            against = against(Devices.DISNI, target);
            used = against == null ? "an RDMA adapter (disni)" : null;
            reasons.addAll(examineTarget(Devices.DISNI, target));
        }
        boolean blocked = reasons.stream().anyMatch(reason -> reason.severity() == Severity.PROBLEM);
        List<Finding> notes = new ArrayList<>();
        if (used != null && !blocked) {
            notes.add(new Finding(
                    Severity.GOOD,
                    "A connect" + faces.names + " to " + text(target) + " would try " + used + ", then TCP ("
                            + faces.rule + ")",
                    candidates.disni() ? "Whether the program there takes EXS shows when it is connected to" : ""));
        } else {
            boolean asked =
                    settings.rules().evaluate(RuleDirection.CONNECT, target.getAddress(), target.getPort(), faces.first)
                            == Verdict.EXS;
            boolean known = target.getPort() != 0 || against != FallbackReason.NO_LISTENER;
            String why = against == null ? "What keeps EXS from it stands below." : against.explanation();
            notes.add(tcp(target, faces, asked && known ? Severity.PROBLEM : Severity.NOTE, why));
        }
        notes.addAll(reasons);
        return notes;
    }

    /** {@return what a device reports of the destination only; problems count, since the device is asked for} */
    private List<Finding> examineTarget(String device, InetSocketAddress target) {
        List<Finding> notes = new ArrayList<>(examine(device, target, true));
        notes.removeAll(examine(device, null, true));
        return notes;
    }

    private static Finding tcp(InetSocketAddress target, Faces faces, Severity kind, String why) {
        String advice = why.startsWith(FallbackReason.NOT_LOCAL.explanation())
                        || why.startsWith(FallbackReason.NO_RULE.explanation())
                ? "To use an RDMA adapter, have exs.device=auto and name a rules file in exs.rules, at both ends, with"
                        + " the line: both "
                        + target.getAddress().getHostAddress() + " "
                        + (target.getPort() == 0 ? "*" : target.getPort()) + " exs"
                : "";
        String text = "A connect" + faces.names + " to " + text(target) + " would use TCP. " + why;
        return new Finding(kind, text + " (" + faces.rule + ")", advice);
    }

    private @Nullable FallbackReason against(String name, InetSocketAddress target) {
        Device device = devices.named(name);
        if (device == null) {
            return ConnectAttempt.unavailable(devices, name);
        }
        if (!device.leadsTo(target)) {
            return ConnectAttempt.outOfReach(name);
        }
        return device.listens(target, parameters) ? null : FallbackReason.NO_LISTENER;
    }

    /** {@return what a program that listens on {@code local} would listen on, by settings and rules alone} */
    public List<Finding> listen(InetSocketAddress local) {
        return ruledAlike(RuleDirection.LISTEN, local).stream()
                .map(faces -> listen(local, faces))
                .toList();
    }

    private Finding listen(InetSocketAddress local, Faces faces) {
        Policy.Candidates candidates = policy.candidates(RuleDirection.LISTEN, local, faces.first);
        String where = candidates.against() != null
                ? "TCP only. " + candidates.against().explanation()
                : "TCP" + (candidates.soft() ? ", shared memory (soft)" : "")
                        + (candidates.disni() ? ", RDMA adapters (disni)" : "");
        return new Finding(
                Severity.GOOD,
                "By these rules a listener" + faces.names + " on " + text(local) + " serves " + where + " ("
                        + faces.rule + ")",
                "");
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        boolean bracketed = host.indexOf(':') >= 0 && address.getPort() != 0;
        return (bracketed ? "[" + host + "]" : host) + (address.getPort() == 0 ? "" : ":" + address.getPort());
    }

    /** Faces for which the same rule decides, or no rule; names and rule as a note has them: no names for all. */
    private record Faces(Face first, String names, String rule) {}

    private List<Faces> ruledAlike(RuleDirection direction, InetSocketAddress address) {
        Map<String, List<Face>> byRule = new LinkedHashMap<>();
        for (Face face : settings.faces()) {
            byRule.computeIfAbsent(rule(direction, address, face), any -> new ArrayList<>())
                    .add(face);
        }
        List<Faces> all = new ArrayList<>();
        byRule.forEach((rule, faces) ->
                all.add(new Faces(faces.get(0), byRule.size() == 1 ? "" : " of " + Face.names(faces, ", "), rule)));
        return all;
    }

    private String rule(RuleDirection direction, InetSocketAddress address, Face face) {
        String deciding = settings.rules().deciding(direction, address.getAddress(), address.getPort(), face);
        return deciding != null
                ? "rule " + deciding
                : settings.rules().isEmpty()
                        ? "there are no rules"
                        : "no " + direction.name().toLowerCase(Locale.ROOT) + " rule matches";
    }

    /** Closes what was opened. */
    public void close() {
        devices.closeIfOpen();
        devices.endIfOpen();
    }
}
