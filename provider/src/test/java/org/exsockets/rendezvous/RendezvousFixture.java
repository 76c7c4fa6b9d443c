package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.exsockets.config.Face;
import org.exsockets.config.Settings;
import org.exsockets.config.SettingsReader;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.DeviceProvider;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;

/** A rendezvous over scripted devices, with a clock that the test moves. */
final class RendezvousFixture {
    static final InetSocketAddress REMOTE = new InetSocketAddress("192.0.2.7", 5000);
    static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 5000);
    static final int EPHEMERAL = 40_000;

    final ScriptedDevice soft = new ScriptedDevice("soft");
    ScriptedDevice disni = new ScriptedDevice("disni");
    final AtomicLong nowNs = new AtomicLong(1_000_000_000_000L);
    final Map<String, Integer> opened = new HashMap<>();
    IOException disniObstacle;
    IOException bindFailure;
    InetSocketAddress bound = new InetSocketAddress("0.0.0.0", EPHEMERAL);

    /** Of a program that has not bound its socket if {@link #boundBefore} is null. */
    final LocalBinding binding = new LocalBinding() {
        @Override
        public InetSocketAddress bound() {
            return boundBefore;
        }

        @Override
        public InetSocketAddress bind() throws IOException {
            if (bindFailure != null) {
                throw bindFailure;
            }
            return bound;
        }

        @Override
        public int trafficClass() {
            return trafficClass;
        }
    };

    int trafficClass;

    InetSocketAddress boundBefore;
    Function<InetSocketAddress, List<DeviceProvider.Finding>> findings = target -> List.of();
    int firstListeners;
    int firstConnections;
    final Rendezvous rendezvous;
    private final Settings settings;

    private RendezvousFixture(Settings settings) {
        this.settings = settings;
        Devices devices = new ScriptedDevices(Rendezvous.options(settings));
        rendezvous = new Rendezvous(settings, devices, nowNs::get, face -> firstListeners++, () -> firstConnections++);
    }

    /** @param rules lines of a rules file, or none */
    static RendezvousFixture of(Path directory, String device, String... rules) {
        return of(directory, Map.of("device", device), rules);
    }

    static RendezvousFixture of(Path directory, Map<String, String> given, String... rules) {
        Map<String, String> options = new HashMap<>(given);
        if (rules.length > 0) {
            try {
                options.put(
                        "rules",
                        Files.write(directory.resolve("rules"), List.of(rules)).toString());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        return new RendezvousFixture(SettingsReader.read(options, new Properties(), Map.of()));
    }

    Outlook outlook() {
        return new Outlook(settings, new ScriptedDevices(Rendezvous.options(settings)));
    }

    private final class ScriptedDevices extends Devices {
        ScriptedDevices(DeviceOptions options) {
            super(options, () -> {});
        }

        @Override
        DeviceProvider provider(String name) {
            return new DeviceProvider() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public Device open(DeviceOptions options) throws IOException {
                    opened.merge(name, 1, Integer::sum);
                    if (name.equals("disni") && disniObstacle != null) {
                        throw disniObstacle;
                    }
                    return name.equals("soft") ? soft : disni;
                }

                @Override
                public List<Finding> examine(
                        DeviceOptions options, EndpointParameters parameters, InetSocketAddress target) {
                    return findings.apply(target);
                }
            };
        }
    }

    Endpoint connect(InetSocketAddress destination) {
        return rendezvous.tryConnect(destination, 0, binding, Face.NET);
    }

    /** {@return the device a connect uses, or the reason it counts} */
    String outcome(InetSocketAddress destination) {
        long[] before = counts();
        Endpoint endpoint = connect(destination);
        return endpoint != null ? endpoint.device() : counted(before);
    }

    /** {@return the reason that a non-blocking connect counts which did not get its turn} */
    String outcomeInstead(InetSocketAddress destination) {
        long[] before = counts();
        Endpoint none = rendezvous.tryConnectInTurn(destination, false, binding, Face.NIO);
        if (none != null) {
            throw new AssertionError(none);
        }
        return counted(before);
    }

    static long[] counts() {
        FallbackReason[] reasons = FallbackReason.values();
        long[] counts = new long[reasons.length];
        for (FallbackReason reason : reasons) {
            counts[reason.ordinal()] = Statistics.jvm().fallbacks(reason);
        }
        return counts;
    }

    /** {@return the one reason counted since {@code before}; null if none was} */
    static String counted(long[] before) {
        long[] after = counts();
        String counted = null;
        for (FallbackReason reason : FallbackReason.values()) {
            long more = after[reason.ordinal()] - before[reason.ordinal()];
            if (more != 0) {
                if (more != 1 || counted != null) {
                    throw new AssertionError("counted twice: " + reason + " " + more + ", " + counted);
                }
                counted = reason.jsonName();
            }
        }
        return counted;
    }
}
