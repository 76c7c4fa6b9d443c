package org.exsockets.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
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
    private static final long MAPPED_LOW = 0xffff_0000_0000L;
    private static final long MAPPED_LOW_MASK = 0xffff_ffff_0000_0000L;
    private static final long LOOPBACK_LOW = 0xffff_7f00_0000L;
    private static final long LOOPBACK_MASK = 0xffff_ffff_ff00_0000L;
    private static final Pattern IPV4_LIKE = Pattern.compile("[0-9.]+");

    private final long high;
    private final long low;
    private final long highMask;
    private final long lowMask;
    private final boolean ipv4;

    private AddressBlock(byte[] address, int prefixBits) {
        this.high = high(address);
        this.low = low(address);
        this.ipv4 = isIpv4(high, low);
        this.highMask = prefixBits >= 64 ? -1 : mask(prefixBits);
        this.lowMask = prefixBits <= 64 ? 0 : mask(prefixBits - 64);
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
        return high == 0 && (low == 0 || low == MAPPED_LOW);
    }

    boolean isLoopback() {
        boolean ipv4Loopback = ipv4
                && (low & LOOPBACK_MASK) == LOOPBACK_LOW
                && highMask == -1
                && (lowMask & LOOPBACK_MASK) == LOOPBACK_MASK;
        return ipv4Loopback || (high == 0 && low == 1 && highMask == -1 && lowMask == -1);
    }

    /** {@return whether the address, as given by {@link #high} and {@link #low}, lies in this block} */
    boolean contains(long addressHigh, long addressLow) {
        return ((addressHigh ^ high) & highMask) == 0
                && ((addressLow ^ low) & lowMask) == 0
                && isIpv4(addressHigh, addressLow) == ipv4;
    }

    /** {@return the upper half of an address in its IPv6 form} */
    static long high(byte[] bytes) {
        return bytes.length == 4 ? 0 : bits(bytes, 0, 8);
    }

    /** {@return the lower half of an address in its IPv6 form} */
    static long low(byte[] bytes) {
        return bytes.length == 4 ? MAPPED_LOW | bits(bytes, 0, 4) : bits(bytes, 8, 8);
    }

    private static long bits(byte[] bytes, int from, int count) {
        long value = 0;
        for (int i = from; i < from + count; i++) {
            value = value << 8 | (bytes[i] & 0xff);
        }
        return value;
    }

    private static boolean isIpv4(long high, long low) {
        return high == 0 && (low & MAPPED_LOW_MASK) == MAPPED_LOW;
    }

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L << (64 - bits);
    }
}
