package org.exsockets.es.queue;

import java.io.IOException;
import org.exsockets.api.Event;
import org.exsockets.api.ExsSocket;
import org.jspecify.annotations.Nullable;

/** An event of a queue, or of a program, into which a queue's is copied. Not thread-safe. */
public final class QueuedEvent implements Event {
    @SuppressWarnings("NullAway.Init") // Filled in by a queue.
    Type type;

    @SuppressWarnings("NullAway.Init") // Filled in by a queue.
    Status status;

    @Nullable
    IOException failure;

    long operation;

    @Nullable
    Object context;

    @Nullable
    ExsSocket socket;

    @Nullable
    ExsSocket accepted;

    int length;
    boolean endOfStream;
    int packetLength;
    int notifiedExport;
    long notifiedOffset;
    int notifiedLength;

    void set(QueuedEvent other) {
        type = other.type;
        status = other.status;
        failure = other.failure;
        operation = other.operation;
        context = other.context;
        socket = other.socket;
        accepted = other.accepted;
        length = other.length;
        endOfStream = other.endOfStream;
        packetLength = other.packetLength;
        notifiedExport = other.notifiedExport;
        notifiedOffset = other.notifiedOffset;
        notifiedLength = other.notifiedLength;
    }

    void set(Operation done, Status how, @Nullable IOException cause) {
        type = done.type;
        status = how;
        failure = cause;
        operation = done.id;
        context = done.context;
        socket = done.socket;
        accepted = done.accepted;
        length = done.moved;
        endOfStream = done.endOfStream;
        packetLength = done.packetLength;
        notifiedExport = done.notifiedExport;
        notifiedOffset = done.notifiedOffset;
        notifiedLength = done.notifiedLength;
    }

    /** Drops references to what the program does not expect to be kept. */
    void clear() {
        failure = null;
        context = null;
        socket = null;
        accepted = null;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public Status status() {
        return status;
    }

    @Override
    public @Nullable IOException failure() {
        return failure;
    }

    @Override
    public long operation() {
        return operation;
    }

    @Override
    public @Nullable Object context() {
        return context;
    }

    @Override
    public @Nullable ExsSocket socket() {
        return socket;
    }

    @Override
    public @Nullable ExsSocket accepted() {
        return accepted;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public boolean endOfStream() {
        return endOfStream;
    }

    @Override
    public boolean truncated() {
        return type == Type.RECEIVE && status == Status.DONE && packetLength > length;
    }

    @Override
    public int packetLength() {
        return packetLength;
    }

    @Override
    public int notifiedExport() {
        return notifiedExport;
    }

    @Override
    public long notifiedOffset() {
        return notifiedOffset;
    }

    @Override
    public int notifiedLength() {
        return notifiedLength;
    }

    @Override
    public String toString() {
        return type == null
                ? "Event[none]"
                : "Event[" + type + ", operation=" + operation + ", " + status + ", length=" + length
                        + (endOfStream ? ", end of stream" : "")
                        + (truncated() ? ", truncated from " + packetLength : "")
                        + (notifiedExport != 0 ? ", notified of export " + notifiedExport : "")
                        + (failure != null ? ", " + failure : "") + "]";
    }
}
