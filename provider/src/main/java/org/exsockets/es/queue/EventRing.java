package org.exsockets.es.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.exsockets.api.Event;
import org.exsockets.api.ExsSocket;
import org.jspecify.annotations.Nullable;

/** The events of a queue that have not been taken, and the number of those that may still come. Thread-safe. */
final class EventRing {
    private final int capacity;

    /** The queue's. Read under {@link #lock}: no event is added once it was set and {@link #clear} has run. */
    private final AtomicBoolean closed;

    /** Operations under way and events not taken. */
    private final AtomicInteger reserved = new AtomicInteger();

    /** Guards changes of {@link #available}. Never held by a call that blocks. */
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ArrayDeque<QueuedEvent> events = new ArrayDeque<>();

    /** Objects for further events. */
    @GuardedBy("lock")
    private final ArrayDeque<QueuedEvent> free = new ArrayDeque<>();

    /** Events to be taken. Reads need no lock. */
    private volatile int available;

    /** @param capacity most operations under way and events not taken */
    EventRing(int capacity, AtomicBoolean closed) {
        this.capacity = capacity;
        this.closed = closed;
    }

    /** Counts an operation that begins. @throws IllegalStateException if the queue is full */
    void reserve() {
        if (reserved.incrementAndGet() > capacity) {
            reserved.decrementAndGet();
            throw new IllegalStateException("event queue: full: operations under way and events not taken=" + capacity);
        }
    }

    /** Takes back {@link #reserve}. */
    void unreserve() {
        reserved.decrementAndGet();
    }

    /** {@return whether there is nothing to take} A volatile read, for the handshake of {@link PolledEventQueue}. */
    boolean isEmpty() {
        return available == 0;
    }

    /** Appends the event of a reserved operation. {@return false if the queue is closed; then it unreserves instead} */
    boolean add(Operation done, Event.Status status, @Nullable IOException failure) {
        synchronized (lock) {
            if (closed.get()) {
                unreserve();
                return false;
            }
            QueuedEvent event = free.poll();
            if (event == null) {
                event = new QueuedEvent();
            }
            event.set(done, status, failure);
            events.add(event);
            available++;
            return true;
        }
    }

    /** Takes the oldest events. {@return how many} @throws IllegalArgumentException if one is not from Event.array */
    int take(Event[] into) {
        if (available == 0) {
            return 0;
        }
        synchronized (lock) {
            int taken = Math.min(available, into.length);
            for (int i = 0; i < taken; i++) { // First, as an event that was taken cannot be put back.
                if (!(into[i] instanceof QueuedEvent)) {
                    throw new IllegalArgumentException("not from Event.array: index=" + i);
                }
            }
            for (int i = 0; i < taken; i++) {
                QueuedEvent event = events.remove();
                ((QueuedEvent) into[i]).set(event);
                event.clear();
                free.push(event);
                available--;
                unreserve();
            }
            return taken;
        }
    }

    /** The queue is closed: drops its events. {@return the accepted connections among them} */
    List<ExsSocket> clear() {
        synchronized (lock) {
            List<ExsSocket> unseen = events.stream()
                    .flatMap(event -> Stream.ofNullable(event.accepted))
                    .toList();
            events.clear();
            free.clear();
            available = 0;
            return unseen;
        }
    }
}
