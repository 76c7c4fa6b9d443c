package org.exsockets.bench.stress;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;

/** Messages that say whether they have arrived whole: one number in every byte. One receiving thread at a time. */
final class Messages {
    static final int TORN = -1;
    static final int FAILED = -2;
    private static final int LENGTH = 48;

    /** Looks take about as long as the send of a message, at most. */
    private static final int MOST_LOOKS = 128;

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final Endpoint end;
    private final int looks = Math.floorMod(NEXT.getAndIncrement(), MOST_LOOKS);
    private final ByteBuffer received = ByteBuffer.allocate(LENGTH);
    private final WorkCompletion completion = new WorkCompletion();

    Messages(Endpoint end) {
        this.end = end;
        for (int i = 0; i < end.receiveDepth(); i++) {
            postReceive();
        }
    }

    void postReceive() {
        end.queuePair().postReceive(0, received, 0, LENGTH);
    }

    /** Posts a message. {@return what the queue pair answers} */
    static int post(Endpoint from, int number) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            bytes.put(i, (byte) number);
        }
        return from.queuePair().send(bytes, 0, LENGTH, false);
    }

    /**
     * Looks for a while, another one for each receiver, so that what follows meets each part of a send.
     *
     * @return whether there is a message
     */
    boolean look() {
        boolean any = false;
        for (int i = 0; i < looks; i++) {
            any |= !end.queuePair().completionQueue().isEmpty();
        }
        return any;
    }

    /** {@return the number of the next message, 0 if there is none, or what is wrong with it} */
    int next() {
        if (!end.queuePair().completionQueue().poll(completion)) {
            return 0;
        }
        if (completion.status != Status.SUCCESS
                || completion.opcode != Opcode.RECV
                || completion.byteLength != LENGTH) {
            return FAILED;
        }
        int number = received.get(0);
        for (int i = 1; i < LENGTH; i++) {
            if (received.get(i) != number) {
                return TORN;
            }
        }
        return number;
    }
}
