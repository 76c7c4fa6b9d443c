package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** The buffers of one call, and what is told of them afterwards. Used by one thread. */
final class Margins {
    private final Margined[] all;

    private Margins(Margined[] all) {
        this.all = all;
    }

    /**
     * @param arguments kind, size, kind, size ... from {@code from} on
     */
    static Margins of(String[] arguments, int from) throws IOException {
        Margined[] all = new Margined[(arguments.length - from) / 2];
        for (int i = 0; i < all.length; i++) {
            all[i] = Margined.of(arguments[from + 2 * i], Integer.parseInt(arguments[from + 2 * i + 1]));
        }
        return new Margins(all);
    }

    /** Returns the bytes that buffers of these arguments hold, all together. */
    static long size(List<String> arguments) {
        long size = 0;
        for (int i = 1; i < arguments.size(); i += 2) {
            size += Integer.parseInt(arguments.get(i));
        }
        return size;
    }

    boolean single() {
        return all.length == 1;
    }

    ByteBuffer first() {
        return all[0].buffer();
    }

    ByteBuffer[] buffers() {
        return Arrays.stream(all).map(Margined::buffer).toArray(ByteBuffer[]::new);
    }

    long size() {
        return Arrays.stream(all).mapToLong(Margined::size).sum();
    }

    /** Returns whether a call that has anything to do with them fails: because of the first one. */
    private boolean fails() {
        return all.length > 0 && all[0].gone();
    }

    /** Puts in what is to be sent next; nothing is if the first one fails. */
    void fill(Content content) {
        if (fails()) {
            return;
        }
        long at = content.reserve(size());
        for (Margined each : all) {
            each.fill(content, at);
            at += each.size();
        }
    }

    private long moved() {
        return Arrays.stream(all).mapToLong(Margined::moved).sum();
    }

    /** Tells what a read has returned and done. */
    String read(long returned, Content content) {
        content.received(Math.max(returned, 0));
        CRC32 crc = new CRC32();
        StringBuilder damage = new StringBuilder();
        for (Margined each : all) {
            each.addTo(crc);
            damage.append(each.damage());
        }
        return returned + positions(returned) + (returned > 0 ? " " + Content.sum(crc) : "") + damage;
    }

    /** Tells what a write has returned and done. */
    String written(long returned, Content content) {
        if (!fails()) {
            content.giveBack(size() - Math.max(returned, 0));
        }
        return returned + positions(returned);
    }

    private String positions(long returned) {
        return moved() == Math.max(returned, 0) ? "" : " but moved " + moved();
    }
}
