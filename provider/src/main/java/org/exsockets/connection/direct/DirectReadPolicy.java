package org.exsockets.connection.direct;

import java.nio.ByteBuffer;
import org.exsockets.adapt.Backoff;
import org.exsockets.config.DirectMode;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.ProgramMemory;
import org.jspecify.annotations.Nullable;

/**
 * Whether a blocking read that finds nothing is worth advertising.
 *
 * <p>An ADVERT costs one message each way more than a read through the hidden buffer, and a cancelled one a round trip.
 * If many bytes come, that is less than the copy it saves. The cost is lost if few bytes come, if the peer writes to
 * the hidden buffer all the same, or if the call ends without bytes. After such reads some of the next are not
 * advertised, twice as many each time.
 *
 * <p>Belongs to the reader, except the mode ({@link #configure}), which all connections read.
 */
public final class DirectReadPolicy {
    /** From this length on a direct transfer is at least as fast as an indirect one; a device may ask for more. */
    static final int MIN_BYTES = 32 * 1024;

    /**
     * As {@link #MIN_BYTES}, where many receives are outstanding: then the hidden buffer is filled and emptied at the
     * same time.
     */
    public static final int MIN_POSTED_BYTES = 64 * 1024;

    /** Reads between two attempts, at most. */
    static final int MAX_REST = 64;

    /**
     * Reads to the next attempt, at least, after a call that ended without bytes: its peer is idle, and a CANCEL may
     * take long.
     */
    private static final int REST_AFTER_CANCEL = 16;

    private static volatile DirectMode mode = DirectMode.AUTO;

    private final int minBytes;
    private final Backoff backoff = new Backoff(MAX_REST);

    public DirectReadPolicy(DirectAccess direct) {
        minBytes = Math.max(MIN_BYTES, direct.minBytes());
    }

    /** Applies {@code exs.direct}, for all connections; before the first one. */
    public static void configure(DirectMode direct) {
        mode = direct;
    }

    /** {@return {@code exs.direct}; any thread} */
    public static DirectMode mode() {
        return mode;
    }

    /** {@return whether {@code exs.direct} asks for a transfer of which {@code auto} tells whether it may pay} */
    static boolean allows(boolean auto) {
        DirectMode now = mode;
        return now == DirectMode.AUTO ? auto : now == DirectMode.ALWAYS;
    }

    /**
     * {@return whether memory may be offered to the peer at all} If the device cannot detach memory, a read that ends
     * early waits for the peer's answer to the CANCEL: some milliseconds, and longer if the peer's process stands
     * still. Interrupts and closes, which are rare, may take so long; a time-out must come in time.
     *
     * @param endless whether only an interrupt or a close can end the read before its bytes come
     */
    public static boolean permits(DirectAccess direct, boolean endless) {
        return endless || direct.windows() != null || mode == DirectMode.ALWAYS;
    }

    /**
     * {@return what a posted receive is to be offered to the peer with; null: it is not}
     *
     * @param alone whether nothing else is outstanding: then the peer waits for each ADVERT, which over some devices
     *     takes long
     */
    static @Nullable ProgramMemory leasePosted(
            @Nullable DirectAccess direct, ByteBuffer memory, int offset, int length, boolean alone) {
        if (direct == null) {
            return null;
        }
        boolean pays = length >= (alone ? Math.max(MIN_POSTED_BYTES, direct.minBytes()) : MIN_POSTED_BYTES);
        return allows(pays) ? direct.leaseWhole(memory, offset, length) : null;
    }

    /**
     * {@return whether a buffer with {@code length} bytes of space may be worth advertising, whatever earlier reads
     * got}
     */
    public static boolean mayWant(int length) {
        return allows(length >= MIN_BYTES);
    }

    /** {@return whether to look for a registration of a buffer with {@code length} bytes of space} */
    public boolean tryNext(int length) {
        return allows(length >= minBytes && !backoff.skip());
    }

    /** {@return whether to advertise {@code length} bytes} */
    public boolean pays(int length) {
        return length >= minBytes || mode == DirectMode.ALWAYS;
    }

    /** The device cannot reach the buffer; the next read may have another. */
    public void onUnreachable() {
        backoff.onFailure();
    }

    /**
     * An advertised read is over.
     *
     * @param bytes that came directly
     * @param cancelled whether the call has ended without any
     */
    public void onEnd(int bytes, boolean cancelled) {
        if (bytes >= minBytes / 2) {
            backoff.onSuccess();
        } else {
            backoff.onFailure(cancelled ? REST_AFTER_CANCEL : 1);
        }
    }
}
