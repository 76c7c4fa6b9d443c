package org.exsockets.compat.programs.driver;

import java.nio.charset.StandardCharsets;

/**
 * What every web server here serves, whatever its API is like: {@code GET /item/N} a short text, {@code GET /bytes/N} so
 * many bytes of {@link Content}, {@code POST /hash} the digest of the body. Stateless.
 */
public final class WebApplication {
    private static final int ITEM_LETTERS = 100;

    private WebApplication() {}

    /**
     * An answer.
     *
     * @param status HTTP's
     * @param body what goes with it
     */
    public record Answer(int status, byte[] body) {}

    /** {@return the answer to a request} */
    public static Answer answer(String method, String path, byte[] body) {
        if (method.equals("GET") && path.startsWith("/item/")) {
            return new Answer(200, item(number(path, "/item/")).getBytes(StandardCharsets.US_ASCII));
        }
        if (method.equals("GET") && path.startsWith("/bytes/")) {
            return new Answer(200, bytes(number(path, "/bytes/")));
        }
        if (method.equals("POST") && path.equals("/hash")) {
            return new Answer(200, Content.hash(body).getBytes(StandardCharsets.US_ASCII));
        }
        return new Answer(404, new byte[0]);
    }

    /** {@return the text under {@code /item/N}} */
    public static String item(int number) {
        return "item " + number + ": " + Content.text(number, ITEM_LETTERS);
    }

    /** {@return the bytes under {@code /bytes/N}} */
    public static byte[] bytes(int length) {
        return Content.bytes(length, length);
    }

    private static int number(String path, String prefix) {
        return Integer.parseInt(path.substring(prefix.length()));
    }
}
