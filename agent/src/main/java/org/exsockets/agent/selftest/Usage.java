package org.exsockets.agent.selftest;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.agent.isolation.IsolatedCall;

/**
 * Whether the connections of clients with the agent were EXS's, and why not.
 *
 * @param made how many the clients made
 * @param soft those over shared memory
 * @param disni those over an adapter
 * @param reasons for TCP at the clients
 * @param reasonsThere at the servers
 */
record Usage(long made, long soft, long disni, Set<String> reasons, Set<String> reasonsThere) {
    private static final String REASON_TYPE = "org.exsockets.observe.FallbackReason";
    private static final Pattern FALLBACKS = Pattern.compile("\"fallbacks\":\\{([^}]*)}");
    private static final Pattern REASON = Pattern.compile("\"([a-z-]+)\":");

    /** {@code here} and {@code there} are statistics, lines of JSON. */
    static Usage of(long made, List<String> here, List<String> there) {
        return new Usage(made, sum(here, "soft"), sum(here, "disni"), reasons(here), reasons(there));
    }

    private static long sum(List<String> statistics, String device) {
        Pattern count = Pattern.compile("\"" + device + "\":(\\d+)");
        long sum = 0;
        for (String line : statistics) {
            Matcher found = count.matcher(line);
            sum += found.find() ? Long.parseLong(found.group(1)) : 0;
        }
        return sum;
    }

    private static Set<String> reasons(List<String> statistics) {
        Set<String> reasons = new TreeSet<>();
        for (String line : statistics) {
            Matcher found = FALLBACKS.matcher(line);
            if (found.find()) {
                Matcher reason = REASON.matcher(found.group(1));
                while (reason.find()) {
                    reasons.add(reason.group(1));
                }
            }
        }
        return reasons;
    }

    boolean complete() {
        return made > 0 && soft + disni == made;
    }

    String devices() {
        return soft == 0 ? "an RDMA adapter" : disni == 0 ? "shared memory" : "shared memory and an RDMA adapter";
    }

    /** {@return sentences for the user} */
    String why() {
        String why = made - soft - disni + " of " + made + " connections were TCP.";
        if (!reasons.isEmpty()) {
            why += " At this end: " + explained(reasons);
        }
        if (!reasonsThere.isEmpty()) {
            why += " At the other end: " + explained(reasonsThere);
        }
        return reasons.isEmpty() && reasonsThere.isEmpty() ? why + " Settings keep the agent from them." : why;
    }

    private static String explained(Set<String> reasons) {
        StringBuilder text = new StringBuilder();
        for (String reason : reasons) {
            text.append(text.length() == 0 ? "" : " ").append(reason).append(" (");
            text.append(explanation(reason)).append(')');
        }
        return text.append('.').toString();
    }

    private static String explanation(String reason) {
        String name = reason.toUpperCase(Locale.ROOT).replace('-', '_');
        Object constant = IsolatedCall.of(REASON_TYPE, "valueOf", new Class<?>[] {String.class}, name);
        try {
            Method explanation = constant.getClass().getMethod("explanation");
            return explanation.invoke(constant).toString().replaceFirst("\\.$", "");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("damaged jar: " + e.getMessage(), e);
        }
    }
}
