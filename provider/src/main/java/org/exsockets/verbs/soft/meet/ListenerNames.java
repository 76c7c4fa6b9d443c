package org.exsockets.verbs.soft.meet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.exsockets.observe.Log;
import org.exsockets.verbs.soft.host.ListeningNames;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;

/**
 * The names of listeners' sockets: {@code exs/LAYOUT.VERSION/ADDRESS/PORT}, in the abstract name space of unix(7). Each
 * network namespace has its own names, as it has its own ports. ADDRESS is the address in hexadecimal, {@code any4} for
 * a wildcard that IPv4 reaches, {@code any6} for one that IPv4 and IPv6 reach. LAYOUT:
 * {@link SegmentDescriptor#LAYOUT}; VERSION: of the upper protocol.
 */
public final class ListenerNames {
    private static final String PREFIX = "exs/";

    private ListenerNames() {}

    /** {@return the name of a listener on exactly this address} */
    static byte[] of(InetSocketAddress address, boolean dualStack, int version) {
        InetAddress host = address.getAddress();
        return bytes(name(host.isAnyLocalAddress() ? dualStack ? "any6" : "any4" : hex(host), address, version));
    }

    /** {@return the possible names of a listener there, in the order of TCP: the exact address, then wildcards} */
    static List<byte[]> reachedBy(InetSocketAddress destination, int version) {
        byte[] exact = bytes(name(hex(destination.getAddress()), destination, version));
        byte[] both = bytes(name("any6", destination, version));
        return destination.getAddress().getAddress().length == 4
                ? List.of(exact, both, bytes(name("any4", destination, version)))
                : List.of(exact, both);
    }

    /** {@return whether a listener is there; false also if that cannot be found out} Takes long: for messages. */
    public static boolean anybodyListens(InetSocketAddress destination, int version) {
        try {
            Set<String> listening = ListeningNames.beginningWith(PREFIX);
            return reachedBy(destination, version).stream()
                    .anyMatch(name -> listening.contains(new String(name, StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            Log.debug("listeners: cannot be found out: " + e);
            return false;
        }
    }

    private static String hex(InetAddress host) {
        return HexFormat.of().formatHex(host.getAddress());
    }

    private static String name(String place, InetSocketAddress address, int version) {
        return PREFIX + SegmentDescriptor.LAYOUT + "." + version + "/" + place + "/" + address.getPort();
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
