package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Transfers of any length through one end of a connection: those that may take several calls, and those that go on until
 * something ends them. Used by one thread.
 */
final class Bulk {
    /** One call that moves bytes. */
    @FunctionalInterface
    interface Mover {
        int move(ByteBuffer buffer) throws Exception;
    }

    /** What is more than this may depend on how much a transport holds. */
    static final int EXACT_BYTES = 64 * 1024;

    private static final int FILLING_PIECE_BYTES = 64 * 1024;
    private static final int PAUSE_MS = 1;
    private static final int PAUSES_WITHOUT_BYTES = 1000;
    private static final int PAUSES_TO_AN_END = 100;

    private final Mover read;
    private final Mover write;
    private final Content content;
    private int pauses;

    Bulk(Mover read, Mover write, Content content) {
        this.read = read;
        this.write = write;
        this.content = content;
    }

    /** Does it, or returns null for another verb. */
    String call(String verb, String[] arguments) throws Exception {
        return switch (verb) {
            case "counts" -> content.counts();
            case "moved" -> Long.toString(content.moved());
            case "put" -> put(Integer.parseInt(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
            case "take" -> take(Long.parseLong(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
            case "toend" -> toEnd(arguments[0], arguments[1]);
            case "fill" -> fill();
            case "drain" -> drain(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]), arguments[2]);
            default -> null;
        };
    }

    /** Writes so many bytes, in calls of at most {@code piece}. */
    private String put(int size, String kind, int piece) throws Exception {
        int rest = size;
        while (rest > 0) {
            Margined margined = Margined.of(kind, Math.min(rest, piece));
            margined.fill(content, content.reserve(margined.size()));
            while (margined.buffer().hasRemaining()) {
                pauseAfter(write.move(margined.buffer()), PAUSES_WITHOUT_BYTES);
            }
            rest -= margined.size();
        }
        return Integer.toString(size);
    }

    /** Reads so many bytes or to the end of the stream. */
    private String take(long size, String kind, int piece) throws Exception {
        CRC32 crc = new CRC32();
        long taken = 0;
        while (taken < size) {
            Margined margined = Margined.of(kind, (int) Math.min(size - taken, piece));
            int n = read.move(margined.buffer());
            if (n < 0) {
                return taken + " of " + size + ", end of stream";
            }
            margined.addTo(crc);
            taken += n;
            content.received(n);
            if (!margined.damage().isEmpty()) {
                return "after " + taken + margined.damage();
            }
            pauseAfter(n, PAUSES_WITHOUT_BYTES);
        }
        return taken + " " + Content.sum(crc);
    }

    /**
     * Reads until the end of the stream or an exception; a non-blocking channel until nothing has come for a while.
     *
     * @param peer the name of the end that sends
     */
    private String toEnd(String peer, String kind) throws Exception {
        CRC32 crc = new CRC32();
        long begin = Long.parseLong(content.counts().split(" ")[1]);
        long taken = 0;
        long wrong = -1;
        String end = "end";
        try {
            while (true) {
                Margined margined = Margined.of(kind, 8192);
                int n = read.move(margined.buffer());
                if (n < 0 || n == 0 && ++pauses > PAUSES_TO_AN_END) {
                    end = n < 0 ? "end" : "nothing more";
                    break;
                }
                if (n == 0) {
                    pause();
                    continue;
                }
                pauses = 0;
                margined.addTo(crc);
                ByteBuffer received = margined.buffer().duplicate();
                received.limit(received.position()).position(received.position() - n);
                wrong = wrong >= 0 ? wrong : Content.wrong(peer, begin + taken, received);
                taken += n;
                content.received(n);
            }
        } catch (IOException e) {
            end = Calls.outcome(e);
        }
        if (taken <= EXACT_BYTES) {
            return taken + " " + Content.sum(crc) + " " + end;
        }
        return "many " + (wrong >= 0 ? "wrong at " + wrong + " " : "") + end;
    }

    /** Writes filling into a non-blocking channel until it takes no more for a while. */
    private String fill() throws Exception {
        long filled = 0;
        for (int quiet = 0; quiet < 20; ) {
            ByteBuffer piece = ByteBuffer.allocateDirect(FILLING_PIECE_BYTES);
            content.putFilling(piece, filled);
            int n = write.move(piece);
            filled += n;
            content.filled(n);
            quiet = n == 0 ? quiet + 1 : 0;
            if (n == 0) {
                pause();
            }
        }
        return "full";
    }

    /** Reads {@code exact} bytes of the stream and then the filling of the end of that name. */
    private String drain(long exact, long filling, String peer) throws Exception {
        String before = exact > 0 ? take(exact, "heap", 8192) + " " : "";
        long taken = 0;
        while (taken < filling) {
            ByteBuffer piece = ByteBuffer.allocateDirect((int) Math.min(filling - taken, FILLING_PIECE_BYTES));
            int n = read.move(piece);
            if (n < 0) {
                return before + "end of stream";
            }
            long wrong = Content.wrongFilling(peer, taken, piece.flip());
            if (wrong >= 0) {
                return before + "wrong at " + wrong;
            }
            taken += n;
            pauseAfter(n, PAUSES_WITHOUT_BYTES);
        }
        return before + "filling";
    }

    private void pauseAfter(int n, int atMost) throws Exception {
        pauses = n == 0 ? pauses + 1 : 0;
        if (pauses > atMost) {
            throw new IOException("bulk: nothing moves");
        }
        if (n == 0) {
            pause();
        }
    }

    /** Who pauses waits for nobody, though a conductor may find the thread asleep. */
    private static void pause() throws InterruptedException {
        Calls.endsByItself();
        Thread.sleep(PAUSE_MS);
    }
}
