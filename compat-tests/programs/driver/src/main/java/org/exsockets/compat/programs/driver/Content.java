package org.exsockets.compat.programs.driver;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** Content that both sides know: bytes that follow from a seed, hardly compressible, and digests. Stateless. */
public final class Content {
    private Content() {}

    /** {@return so many bytes that follow from a seed} */
    public static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** {@return so many lower-case letters that follow from a seed} */
    public static String text(long seed, int length) {
        byte[] bytes = bytes(seed, length);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + Math.floorMod(bytes[i], 26));
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** {@return a digest to be fed} */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the digest of all that it was fed, in hexadecimal} */
    public static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** {@return the digest of bytes, in hexadecimal} */
    public static String hash(byte[] bytes) {
        MessageDigest digest = digest();
        digest.update(bytes);
        return hex(digest);
    }
}
