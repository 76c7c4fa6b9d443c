package org.exsockets.bench.demo.program;

/** The small items the Jetty server serves and its clients expect: 128 ASCII characters that depend on the number. */
final class JettyItem {
    static final int LENGTH_BYTES = 128;

    private JettyItem() {}

    /** {@return the item's text} */
    static String text(int number) {
        StringBuilder text = new StringBuilder(LENGTH_BYTES).append("item ").append(number);
        for (int i = 0; text.length() < LENGTH_BYTES; i++) {
            text.append((char) ('a' + (number * 31 + i * 7 & 0xffff) % 26));
        }
        return text.toString();
    }
}
