package org.exsockets.doctor;

import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.exsockets.config.Settings;
import org.exsockets.config.SettingsReader;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.ForeignChannels;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.Outlook;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;
import org.jspecify.annotations.Nullable;

/**
 * Tells the user what EXS would use on this machine and to a host, why nothing better, and what to do about it. Makes
 * no connection; for a host it opens the devices, as a program would. Used by one thread.
 *
 * <p>Settings are read as a program's would be, from system properties and environment variables.
 */
public final class Doctor {
    /** Status: EXS would be used where settings and rules ask for it. */
    static final int WELL = 0;

    /** Status: something keeps EXS from being used where settings and rules ask for it. */
    static final int ILL = 1;

    /** Status: the command line cannot be understood. */
    static final int MISUSED = 2;

    /** Properties that name providers of channels in a program without the agent. */
    private static final List<String> PROVIDERS =
            List.of("java.nio.channels.spi.SelectorProvider", "java.nio.channels.spi.AsynchronousChannelProvider");

    private static final int MAX_PORT = 65_535;

    private final PrintStream out;
    private int problems;

    private Doctor(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the command.
     *
     * @param arguments what follows {@code doctor} on the command line: {@code -cp} with a program's class path or
     *     nothing, then HOST or HOST:PORT or nothing
     * @return the exit status
     */
    public static int run(String[] arguments) {
        return new Doctor(System.out).run(arguments, System.getenv());
    }

    /** As {@link #run(String[])}, with other variables of the environment, and another place for the report. */
    public static int run(String[] arguments, Map<String, String> environment, PrintStream out) {
        return new Doctor(out).run(arguments, environment);
    }

    private int run(String[] arguments, Map<String, String> environment) {
        boolean program = arguments.length >= 2 && arguments[0].equals("-cp");
        int first = program ? 2 : 0;
        Target target = arguments.length == first + 1 ? Target.parse(arguments[first]) : null;
        if (arguments.length > first && target == null) {
            out.println("usage: java [-Dexs.NAME=VALUE ...] -jar exs-agent.jar doctor [-cp CLASSPATH] [HOST[:PORT]]");
            return MISUSED;
        }
        java();
        if (program) {
            heading("Program");
            DescriptorTakers.on(arguments[1]).forEach(this::print);
        }
        Settings settings;
        try {
            settings = SettingsReader.read(Map.of(), System.getProperties(), environment);
        } catch (IllegalArgumentException e) {
            heading("Settings");
            print(new Finding(
                    Severity.PROBLEM,
                    String.valueOf(e.getMessage()),
                    "Mend the settings; until then programs run on plain TCP"));
            return verdict();
        }
        DescriptorPoll.use(settings.nativeDirectory().orElse(null));
        // Instead of the log, the report tells what devices would log.
        Log.configure(SettingsReader.silent());
        settings.rules().reportProblemsTo(problem -> print(new Finding(Severity.PROBLEM, problem, "")));
        settings(settings);
        Outlook outlook = new Outlook(settings);
        try {
            heading("Shared memory (soft)" + (outlook.asksForSoft() ? "" : ": not asked for by the settings"));
            outlook.soft().forEach(this::print);
            heading("RDMA adapters (disni)" + (outlook.asksForDisni() ? "" : ": not asked for by settings and rules"));
            outlook.disni().forEach(this::print);
            if (target != null) {
                host(target, outlook);
            }
        } finally {
            outlook.close();
        }
        return verdict();
    }

    private void java() {
        heading("Java");
        Runtime.Version version = Runtime.version();
        String what = "Java " + version + " (" + System.getProperty("java.vendor") + "), "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                + System.getProperty("os.arch");
        boolean known = Set.of("amd64", "aarch64").contains(System.getProperty("os.arch"));
        print(new Finding(
                known ? Severity.GOOD : Severity.NOTE,
                what,
                known ? "" : "RDMA adapters are served on x86-64 (amd64) and aarch64; elsewhere shared memory only"));
        if (!ForeignChannels.supported() && PROVIDERS.stream().anyMatch(Doctor::namesOurs)) {
            print(new Finding(
                    Severity.PROBLEM,
                    "The program uses EXS without the agent, and not all that this needs is open",
                    "Start Java with " + ForeignChannels.OPTION + "; until then the program runs on plain TCP"));
        }
    }

    private static boolean namesOurs(String property) {
        return System.getProperty(property, "").startsWith("org.exsockets.");
    }

    private void settings(Settings settings) {
        heading("Settings (not the default: *)");
        Set<String> defaults = new HashSet<>(SettingsReader.defaults().lines());
        settings.lines().forEach(line -> out.println((defaults.contains(line) ? "    " : "  * ") + line));
        if (!settings.enabled()) {
            print(new Finding(Severity.NOTE, "EXS is switched off", "Set exs.enabled=true"));
        }
        List<String> rules = settings.rules().lines();
        heading("Rules (exs.rules; the first that matches decides)");
        rules.forEach(line -> out.println("    " + line));
        if (rules.isEmpty()) {
            out.println("    none: shared memory to this host, TCP to others");
        }
    }

    private void host(Target target, Outlook outlook) {
        heading("Host " + target.host + (target.port == 0 ? "" : ", port " + target.port));
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(target.host);
        } catch (UnknownHostException e) {
            print(new Finding(
                    Severity.PROBLEM, target.host + " has no address", "Check the name, and the name service"));
            return;
        }
        if (target.port == 0) {
            print(new Finding(
                    Severity.NOTE,
                    "No port was named: rules with ports are left out, and listeners of shared memory are not found",
                    "Name one: doctor " + target.host + ":PORT"));
        }
        // Such a listener does not match a rule for an address, which is often overlooked.
        outlook.listen(new InetSocketAddress("0.0.0.0", target.port)).forEach(this::print);
        for (InetAddress address : addresses) {
            InetSocketAddress there = new InetSocketAddress(address, target.port);
            outlook.connect(there).forEach(this::print);
            outlook.listen(there).forEach(this::print);
        }
    }

    private void heading(String text) {
        out.println();
        out.println(text);
    }

    private void print(Finding note) {
        String label = switch (note.severity()) {
            case GOOD -> "  good     ";
            case NOTE -> "  note     ";
            case PROBLEM -> "  PROBLEM  ";
        };
        if (note.severity() == Severity.PROBLEM) {
            problems++;
        }
        out.println(label + note.text());
        if (!note.advice().isEmpty()) {
            out.println("           -> " + note.advice());
        }
    }

    private int verdict() {
        out.println();
        out.println(
                problems == 0
                        ? "No problem: EXS would be used where settings and rules ask for it."
                        : problems == 1 ? "1 problem." : problems + " problems.");
        return problems == 0 ? WELL : ILL;
    }

    /** A host and a port, 0 if none was named. */
    private record Target(String host, int port) {
        /** {@return null if the text is neither HOST nor HOST:PORT} */
        static @Nullable Target parse(String text) {
            boolean bracketed = text.startsWith("[") && text.indexOf(']') > 0;
            int colon = bracketed ? text.indexOf(':', text.indexOf(']')) : text.indexOf(':');
            if (!bracketed && colon >= 0 && text.indexOf(':', colon + 1) >= 0) {
                // An IPv6 address without brackets has no port.
                return new Target(text, 0);
            }
            String host = colon < 0 ? text : text.substring(0, colon);
            if (host.isEmpty() || host.startsWith("-")) {
                return null;
            }
            if (colon < 0) {
                return new Target(host, 0);
            }
            try {
                int port = Integer.parseInt(text.substring(colon + 1));
                return port < 1 || port > MAX_PORT ? null : new Target(host, port);
            } catch (NumberFormatException e) {
                return null;
            }
        }
    }
}
