package org.exsockets.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A block of addresses: an address and a prefix length. Immutable.
 *
 * <p>IPv4 addresses are kept in their IPv4-mapped IPv6 form, so that one comparison serves both families and a mapped
 * address equals the IPv4 address it stands for.
 */
final class AddressBlock {
    private static final int MAPPED_BITS = 96;
    private static final AddressBlock IPV4 = parse("0.0.0.0", "0");
    private static final AddressBlock IPV4_LOOPBACK = parse("127.0.0.0", "8");
    private static final AddressBlock IPV6_LOOPBACK = parse("::1", null);
    private static final Pattern IPV4_LIKE = Pattern.compile("[0-9.]+");

    private final byte[] address;
    private final int prefixBits;

    private AddressBlock(byte[] address, int prefixBits) {
        this.address = ipv6(address);
        this.prefixBits = prefixBits;
    }

    /** {@return the block that holds {@code address} alone} */
    static AddressBlock of(InetAddress address) {
        return new AddressBlock(address.getAddress(), 128);
    }

    /** {@return whether {@code host} can only be meant as an address literal, well-formed or not} */
    static boolean looksLiteral(String host) {
        return host.indexOf(':') >= 0
                || host.startsWith("[")
                || IPV4_LIKE.matcher(host).matches();
    }

    /**
     * Parses an address literal, with or without brackets, and the prefix after its slash; null: a single address.
     *
     * @throws IllegalArgumentException if it is malformed; the message says what was expected
     */
    static AddressBlock parse(String literal, @Nullable String prefix) {
        boolean ipv6 = literal.indexOf(':') >= 0;
        byte[] address = ipv6 ? parseIpv6(literal) : parseIpv4(literal);
        int base = ipv6 && address.length == 4 ? MAPPED_BITS : 0;
        int maxBits = ipv6 ? 128 : 32;
        int bits = prefix == null ? maxBits : parsePrefix(prefix, base, maxBits);
        return new AddressBlock(address, ipv6 ? bits : MAPPED_BITS + bits);
    }

    private static byte[] parseIpv4(String literal) {
        String[] parts = literal.split("\\.", -1);
        byte[] bytes = new byte[4];
        boolean valid = parts.length == 4;
        for (int i = 0; valid && i < 4; i++) {
            valid = parts[i].matches("[0-9]{1,3}") && Integer.parseInt(parts[i]) <= 255;
            bytes[i] = valid ? (byte) Integer.parseInt(parts[i]) : 0;
        }
        if (!valid) {
            throw new IllegalArgumentException("an IPv4 address such as 192.168.0.1");
        }
        return bytes;
    }

    private static byte[] parseIpv6(String literal) {
        String bare =
                literal.startsWith("[") && literal.endsWith("]") ? literal.substring(1, literal.length() - 1) : literal;
        if (bare.indexOf('%') >= 0) {
            throw new IllegalArgumentException("an IPv6 address without a zone");
        }
        try {
            // The brackets keep the JDK from taking the text for a host name.
            return InetAddress.getByName("[" + bare + "]").getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an IPv6 address such as fd00::1", e);
        }
    }

    private static int parsePrefix(String prefix, int minBits, int maxBits) {
        int bits = prefix.matches("[0-9]{1,3}") ? Integer.parseInt(prefix) : -1;
        if (bits < minBits || bits > maxBits) {
            throw new IllegalArgumentException("a prefix length from " + minBits + " to " + maxBits);
        }
        return bits;
    }

    /** {@return whether the block starts at {@code 0.0.0.0} or {@code ::}} */
    boolean startsAtWildcard() {
        return Arrays.equals(address, IPV4.address) || Arrays.equals(address, new byte[16]);
    }

    boolean isLoopback() {
        return isWithin(IPV4_LOOPBACK) || isWithin(IPV6_LOOPBACK);
    }

    private boolean isWithin(AddressBlock other) {
        return prefixBits >= other.prefixBits && other.covers(address);
    }

    /** {@return whether an address, in its {@link #ipv6} form, lies in this block} */
    boolean contains(byte[] other) {
        return covers(other) && IPV4.covers(other) == IPV4.covers(address);
    }

    private boolean covers(byte[] other) {
        int at = Arrays.mismatch(address, other);
        // Of the byte that differs, the bits in front of the first that does.
        return at < 0 || 8 * at + Integer.numberOfLeadingZeros((address[at] ^ other[at]) & 0xff) - 24 >= prefixBits;
    }

    /** {@return an address in its IPv6 form} */
    static byte[] ipv6(byte[] bytes) {
        if (bytes.length != 4) {
            return bytes;
        }
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        System.arraycopy(bytes, 0, mapped, 12, 4);
        return mapped;
    }
}
