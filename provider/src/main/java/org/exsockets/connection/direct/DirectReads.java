package org.exsockets.connection.direct;

import java.nio.ByteBuffer;
import java.util.List;
import org.exsockets.connection.direct.PostedReceives.PostedReceive;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.ProgramMemory;

/**
 * A read of one buffer that is advertised to the peer while the call waits, or an asynchronous channel's read is
 * pending. Belongs to the reader, except {@link #isOver}.
 *
 * <p>For the program the read is over only when the peer cannot write to the buffer any more: bytes have come, or the
 * peer has answered a CANCEL, or, without an answer in time, the memory was detached. If the device cannot detach it,
 * the connection is reset.
 */
public final class DirectReads {
    private final PostedReceives receives;
    private final DirectAccess direct;
    private final DirectReadPolicy policy;

    /** Made when it is first needed: most connections never do. */
    @SuppressWarnings("NullAway.Init") // By begin; before that nothing is posted.
    private PostedReceive receive;

    @SuppressWarnings("NullAway.Init") // By begin, too.
    private List<PostedReceive> one;

    /** Whether {@link #receive} is posted. The reader sets it after {@link #receive}. */
    private volatile boolean posted;

    public DirectReads(PostedReceives receives, DirectAccess direct) {
        this.receives = receives;
        this.direct = direct;
        this.policy = new DirectReadPolicy(direct);
    }

    /** {@return whether the buffer of a reader is, or may be, advertised; any thread} */
    public boolean isActive() {
        return posted;
    }

    /** {@return whether the posted receive needs the reader's attention; any thread} */
    public boolean isOver() {
        return posted && receive.isDone();
    }

    /**
     * Advertises {@code target}, for which nothing has arrived, if that may pay.
     *
     * @param target a direct buffer
     * @param endless as for {@link DirectReadPolicy#permits}
     */
    public void begin(ByteBuffer target, boolean endless) {
        if (!DirectReadPolicy.permits(direct, endless) || !policy.tryNext(target.remaining())) {
            return;
        }
        int position = target.position();
        int length = target.remaining();
        ProgramMemory memory = direct.lease(target, position, length);
        if (memory == null) {
            policy.onUnreachable();
            return;
        }
        int advertisable = memory.advertisable(target, position, length);
        if (advertisable <= 0 || !policy.pays(advertisable)) {
            memory.release();
            policy.onUnreachable();
            return;
        }
        if (receive == null) {
            receive = receives.newReceive();
            one = List.of(receive);
        }
        posted = true; // Before the post, which may fail half-way: abort takes the receive back then.
        if (!receives.post(receive, target, position, advertisable, memory)) {
            posted = false;
            memory.release();
        }
    }

    /**
     * {@return whether the reader has to {@link #end} the receive: it is done, or its bytes are, or will be, elsewhere}
     */
    public boolean isOvertaken() {
        return receive.isDone() || !receive.isAdvertised();
    }

    /**
     * Ends the receive, if it has not ended, and gives the memory back.
     *
     * @param target as for {@link #begin}; its position is advanced
     * @param waited whether the call is over
     * @return bytes that came straight into {@code target}
     */
    public int end(ByteBuffer target, boolean waited) {
        receives.takeBack(one); // If that throws, the buffer is still the peer's: abort follows.
        int n = receive.received();
        policy.onEnd(n, waited && n == 0);
        letGo();
        if (n > 0) {
            target.position(target.position() + n);
        }
        return n;
    }

    /** The connection has failed with an exception: the buffer must not be left to the peer. */
    public void abort() {
        if (posted) {
            receives.abandon();
            letGo();
        }
    }

    private void letGo() {
        posted = false;
        receives.take(receive);
    }
}
