package org.exsockets.watch;

import java.util.Locale;
import org.exsockets.observe.Description;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Statistics;
import org.exsockets.observe.Traffic;
import org.exsockets.verbs.soft.host.UnixSockets;

/** What this process tells of itself. Of its command line only what was started: arguments may be secret. */
final class OwnDescription {
    private static final long NS_PER_S = 1_000_000_000;
    private static final long STARTED_NS = System.nanoTime();

    private OwnDescription() {}

    static void put(Description into) {
        into.put("pid", ProcessHandle.current().pid());
        into.put("user", Integer.toUnsignedLong(UnixSockets.effectiveUser()));
        into.put("program", program());
        into.put("java", String.valueOf(System.getProperty("java.version")));
        String version = OwnDescription.class.getPackage().getImplementationVersion();
        into.put("exs", version == null ? "" : version);
        into.put("watched_s", (System.nanoTime() - STARTED_NS) / NS_PER_S);
        Statistics jvm = Statistics.jvm();
        for (DeviceKind device : DeviceKind.values()) {
            into.put("connections_" + device.name().toLowerCase(Locale.ROOT), jvm.connections(device));
        }
        Traffic all = jvm.traffic();
        put(into, all);
        for (FallbackReason reason : FallbackReason.values()) {
            if (jvm.fallbacks(reason) > 0) {
                into.put("fallback." + reason.jsonName(), jvm.fallbacks(reason));
            }
        }
    }

    private static void put(Description into, Traffic all) {
        into.put("in_direct_bytes", all.bytesReceivedDirect());
        into.put("in_indirect_bytes", all.bytesReceivedIndirect());
        into.put("out_direct_bytes", all.bytesSentDirect());
        into.put("out_indirect_bytes", all.bytesSentIndirect());
    }

    private static String program() {
        String command = System.getProperty("sun.java.command", "");
        int end = command.indexOf(' ');
        return end < 0 ? command : command.substring(0, end);
    }
}
