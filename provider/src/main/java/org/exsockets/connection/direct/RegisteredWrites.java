package org.exsockets.connection.direct;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import org.exsockets.jdk.ShortSleeps;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.jspecify.annotations.Nullable;

/**
 * A blocking write whose bytes the device reads from the program's memory itself. The program may change them after the
 * return, so the call waits until the device has read them: about one round trip to the peer's device, which answers
 * without its program. For many bytes that costs less than the copy it saves. A short write is copied, and returns
 * while its bytes are under way.
 *
 * <p>Belongs to the writer, except {@link #isFinishing} and {@link #areDone}.
 */
public final class RegisteredWrites {
    /** From this length on a write waits for the device instead of copying. */
    public static final int MIN_BYTES = 256 * 1024;

    /** How long a call that is to end waits for a device that gets no answer, before it gives up the connection. */
    private static final long END_LIMIT_NS = 2_000_000_000L;

    private static final long PARK_NS = 50_000;

    private final @Nullable DirectAccess direct;
    private final QueuePair queuePair;

    /** Covers the source of the write under way; null: it is copied, or there is none. */
    private @Nullable ProgramMemory registration;

    private volatile boolean finishing;

    RegisteredWrites(Endpoint endpoint) {
        this.direct = endpoint.direct();
        this.queuePair = endpoint.queuePair();
    }

    /** {@return whether the device shall read {@code source}; then {@link #end} must follow} */
    public boolean begin(ByteBuffer source) {
        int length = source.remaining();
        if (direct == null || !source.isDirect() || length == 0 || !DirectReadPolicy.allows(length >= MIN_BYTES)) {
            return false;
        }
        int position = source.position();
        ProgramMemory memory = direct.leaseToSend(source, position, length);
        if (memory == null) {
            return false;
        }
        if (memory.advertisable(source, position, length) < length) {
            memory.release();
            return false;
        }
        registration = memory;
        return true;
    }

    /** {@return what covers the source of the write; null if it is copied} */
    public @Nullable ProgramMemory registration() {
        return registration;
    }

    /** Everything has been posted, or will not be. */
    public void finish() {
        finishing = true;
    }

    /** {@return whether the writer only waits for the device to be done} */
    public boolean isFinishing() {
        return finishing;
    }

    /** {@return whether the device has read all of them} */
    public boolean areDone() {
        return queuePair.unfinishedWrites() == 0;
    }

    /**
     * The call is to end, whatever the peer's device does: waits up to {@link #END_LIMIT_NS} for it.
     *
     * @return false if it does not answer; then the connection is lost, and the bytes are the program's again
     */
    public boolean awaitBriefly(ByteBuffer source) {
        ShortSleeps answer = new ShortSleeps(PARK_NS) {
            @Override
            protected boolean isOver() {
                return areDone();
            }
        };
        if (answer.await(END_LIMIT_NS)) {
            return true;
        }
        requireNonNull(direct).takeAway(source, 0, source.capacity());
        return false;
    }

    /** The device reads the source no more. */
    @SuppressWarnings("NullAway") // It follows begin.
    public void end() {
        finishing = false;
        registration.release();
        registration = null;
    }
}
