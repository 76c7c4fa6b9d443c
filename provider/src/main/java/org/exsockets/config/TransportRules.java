package org.exsockets.config;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which connections and listeners are to use EXS and which plain TCP: the content of the file that {@code exs.rules}
 * names, in its order.
 *
 * <p>Each line reads {@code connect|listen|both HOST[/PREFIX]|* PORT[-PORT]|* exs|tcp [net|nio|aio[,...]]}; {@code #}
 * starts a comment. The first matching line decides. A line that ends with {@linkplain Face faces} applies to those
 * only. HOST is an IPv4 or IPv6 literal (brackets allowed; an IPv4-mapped address counts as IPv4; bits beyond the
 * prefix are ignored) or a host name. {@code *} stands for all addresses of both families.
 *
 * <p>A host name is resolved once, when a rule's direction and port match for the first time, and then stands for all
 * its addresses until the JVM ends. A name that cannot be resolved makes its rule match nothing, is reported once and
 * is not tried again.
 *
 * <p>A listener on the wildcard address matches a rule with the host {@code *}, {@code 0.0.0.0} or {@code ::}. The last
 * two mean the same here, because a program that listens on all addresses rarely chooses between them.
 *
 * <p>Safe for use by any thread.
 */
public final class TransportRules implements HostPattern.Problems {
    /** No rules: every verdict is {@link Verdict#DEFAULT}. */
    public static final TransportRules NONE = new TransportRules(List.of());

    private final Rule[] rules;

    /** Null: problems go to standard error. */
    private volatile @Nullable Consumer<String> problemSink;

    TransportRules(List<Rule> rules) {
        this.rules = rules.toArray(new Rule[0]);
    }

    /** Sends reports of host names that cannot be resolved to {@code sink}; without this they go to standard error. */
    public void reportProblemsTo(Consumer<String> sink) {
        problemSink = sink;
    }

    public boolean isEmpty() {
        return rules.length == 0;
    }

    /**
     * Finds the first matching rule. May ask the name service, when a rule with a host name is first checked.
     *
     * @param address the address to connect to or to listen on; the wildcard for a listener on all addresses
     * @param port the port to connect to or the one the listener got
     * @param face of the socket or channel; null for the ES-API, to which rules with faces do not apply
     */
    public Verdict evaluate(RuleDirection direction, InetAddress address, int port, @Nullable Face face) {
        Rule rule = rules.length == 0 ? null : find(direction, address, port, face);
        return rule == null ? Verdict.DEFAULT : rule.verdict();
    }

    private @Nullable Rule find(RuleDirection direction, InetAddress address, int port, @Nullable Face face) {
        byte[] bytes = AddressBlock.ipv6(address.getAddress());
        boolean wildcard = direction == RuleDirection.LISTEN && address.isAnyLocalAddress();
        for (Rule rule : rules) {
            if (rule.covers(direction, port, face)
                    && (wildcard ? rule.host().matchesWildcard() : rule.host().matches(bytes, this))) {
                return rule;
            }
        }
        return null;
    }

    /** {@return the line that {@link #evaluate} would follow, as {@code file:line: text}, or null if none matches} */
    public @Nullable String deciding(RuleDirection direction, InetAddress address, int port, @Nullable Face face) {
        Rule rule = find(direction, address, port, face);
        return rule == null ? null : rule.text();
    }

    /** {@return the lines with a rule, in their order, as {@code file:line: text}} */
    public List<String> lines() {
        return Arrays.stream(rules).map(Rule::text).toList();
    }

    /**
     * {@return whether some rule asks for EXS for more than this host's own loopback addresses, so that an RDMA adapter
     * may be used}
     */
    public boolean mayAskForAdapter() {
        for (Rule rule : rules) {
            if (rule.verdict() == Verdict.EXS && !rule.host().isLoopback()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void report(String problem) {
        Consumer<String> sink = problemSink;
        if (sink == null) {
            System.err.println("exs: warn: " + problem);
        } else {
            sink.accept(problem);
        }
    }

    /** One line and its place. A null direction means both, no faces mean all. */
    record Rule(
            @Nullable RuleDirection only,
            HostPattern host,
            int firstPort,
            int lastPort,
            Verdict verdict,
            Set<Face> faces,
            String text) {
        boolean covers(RuleDirection direction, int port, @Nullable Face face) {
            return (only == null || only == direction)
                    && port >= firstPort
                    && port <= lastPort
                    && (faces.isEmpty() || face != null && faces.contains(face));
        }
    }
}
