package org.exsockets.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.observe.Description;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.Statistics;
import org.exsockets.observe.Traffic;
import org.exsockets.verbs.soft.host.UnixSockets;

/** What this process tells of itself. Of its command line only what was started: arguments may be secret. */
final class OwnDescription {
    private static final Set<String> HAVE_A_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--enable-native-access",
            "--limit-modules",
            "--patch-module");

    private static final Set<String> NAME_THE_PROGRAM = Set.of("-jar", "-m", "--module");

    private OwnDescription() {}

    static void put(Description into) {
        into.put("pid", ProcessHandle.current().pid());
        into.put("user", Integer.toUnsignedLong(UnixSockets.effectiveUser()));
        into.put("program", program());
        into.put("java", String.valueOf(System.getProperty("java.version")));
        // The agent's jar shows its manifest to the class of the loader only.
        ClassLoader loader = OwnDescription.class.getClassLoader();
        String version = loader.getClass().getPackage().getImplementationVersion();
        into.put("exs", version == null ? "" : version);
        Statistics jvm = Statistics.jvm();
        for (DeviceKind device : DeviceKind.values()) {
            into.put("connections_" + device.name().toLowerCase(Locale.ROOT), jvm.connections(device));
        }
        Traffic all = jvm.traffic();
        into.put("in_direct_bytes", all.bytesReceivedDirect);
        into.put("in_indirect_bytes", all.bytesReceivedIndirect);
        into.put("out_direct_bytes", all.bytesSentDirect);
        into.put("out_indirect_bytes", all.bytesSentIndirect);
        for (Map.Entry<String, Long> each : jvm.fallbacks().entrySet()) {
            into.put("fallback." + each.getKey(), each.getValue());
        }
    }

    private static String program() {
        try {
            return program(SmallFiles.read(Path.of("/proc/self/cmdline")).split("\0"));
        } catch (IOException e) {
            return ""; // There is no /proc.
        }
    }

    /** {@return of a java command its main class, module or jar; of another one its name} */
    static String program(String[] command) {
        if (!command[0].endsWith("java")) {
            return command[0];
        }
        int at = 1;
        while (at < command.length && command[at].startsWith("-")) {
            String option = command[at++];
            if (NAME_THE_PROGRAM.contains(option)) {
                break;
            }
            at += HAVE_A_VALUE.contains(option) ? 1 : 0;
        }
        return at < command.length ? command[at] : "";
    }
}
