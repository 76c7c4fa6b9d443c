package org.exsockets.verbs.disni.cm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.disni.CmEventDescriptor;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.data.Adapter;
import org.exsockets.verbs.disni.data.Bell;
import org.jspecify.annotations.Nullable;

/**
 * The thread "exs-verbs": sleeps on the connection manager, on the completion channels and asynchronous events of all
 * adapters, and passes events on. It destroys connections, so that no event finds its connection destroyed. It accepts
 * connections, too, which registers memory: that delays all other events of the process.
 */
final class DeviceThread {
    /** Receives the events of an id from the connection manager. Called on the thread; must not block. */
    interface IdOwner {
        /** @param event a {@link CmEventDescriptor}, valid during the call */
        void onCmEvent(int type, int status, ByteBuffer event);
    }

    /** A queue pair that has been destroyed; {@code then} runs when no event of its CQ can come any more. */
    private record Ended(long dueNs, Runnable then) {}

    private static final int EVENTS_AT_ONCE = 64;

    /** Some of them destroy a connection, which takes as long as to accept one. */
    private static final int TASKS_AT_ONCE = 16;

    private static final int WAKE_UPS = 9;

    /** A request and its answer wake a thread at each end; the device's own events cost about as much again. */
    private static final int WAKE_UPS_PER_TRIP = 4;

    private static final long MIN_WAKE_UP_NS = 50_000;
    private static final long MAX_WAKE_UP_NS = 2_000_000;
    private static final int WAKE_UP_LIMIT_MS = 20;
    private static final long PAUSE_AFTER_ERROR_NS = 10_000_000;
    private static final long LIMIT_LOOK_NS = 100_000_000;
    private static final int LIMIT_LOOK_MS = 100;

    /** Time between probes of a peer without room; TCP begins with less, but gives up later. */
    private static final long PROBE_NS = 10_000_000_000L;

    private static final int PROBE_LOOK_MS = 1_000;

    /** A tasklet that is due has run after this time, also on a machine that is busy. */
    private static final long LAST_EVENT_NS = 200_000_000;

    // ibv_event_type of verbs.h.
    private static final int EVENT_CQ_ERR = 0;
    private static final int EVENT_QP_FATAL = 1;
    private static final int EVENT_QP_REQ_ERR = 2;
    private static final int EVENT_QP_ACCESS_ERR = 3;
    private static final String[] FAILED_QUEUES = {"CQ_ERR", "QP_FATAL", "QP_REQ_ERR", "QP_ACCESS_ERR"};
    private static final int EVENT_DEVICE_FATAL = 8;
    private static final int EVENT_PORT_ACTIVE = 9;
    private static final int EVENT_PORT_ERR = 10;
    private static final int EVENT_GID_CHANGE = 18;

    private final long channel;
    private final int channelDescriptor;
    private final int wakeDescriptor;
    private final ByteBuffer event = CmEventDescriptor.allocate();
    private final CmEvents events = new CmEvents(this::passCmEvent);

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Map<Long, IdOwner> owners = new ConcurrentHashMap<>();
    private final Map<Long, DisniEndpoint> endpoints = new ConcurrentHashMap<>();

    /** Connections whose last bytes are still under way. */
    final AtomicInteger farewells = new AtomicInteger();

    private volatile long wakeUpNs = MIN_WAKE_UP_NS;
    private volatile boolean ended;

    // The thread's own.
    private final List<Adapter> adapters = new ArrayList<>();

    /** The adapters that are waited for; made anew when {@link #adapters} has changed. */
    private Adapter[] waitedFor = {};

    private boolean adaptersChanged = true;
    private int[] descriptors = {};
    private boolean[] ready = {};
    private final Map<DisniEndpoint, Long> limits = new LinkedHashMap<>();
    private final Set<DisniEndpoint> starving = new LinkedHashSet<>();
    private final KeepAlive<DisniEndpoint> keptAlive = new KeepAlive<>(DisniEndpoint::probeNow, System::nanoTime);

    /** In the order in which they are due. */
    private final ArrayDeque<Attendance> attended = new ArrayDeque<>();

    private final ArrayDeque<Ended> endedPairs = new ArrayDeque<>();
    private long nextLimitLookNs = System.nanoTime();

    private long nextProbeNs = System.nanoTime();

    /** @throws VerbsException if the kernel has no RDMA connection manager, or there are no descriptors left */
    DeviceThread() throws VerbsException {
        channel = Verbs.createEventChannel();
        channelDescriptor = Verbs.eventDescriptor(channel);
        wakeDescriptor = Verbs.createEvent();
        Threads.daemon("exs-verbs", this::run).start();
    }

    // Any thread.

    /** {@return what {@link #measureWakeUp} has found, for both ends of a connection together, in nanoseconds} */
    long wakeUpNs() {
        return wakeUpNs;
    }

    /** Measures how long an event takes from this thread to a sleeping one: the expensive part of a sleep. */
    void measureWakeUp() throws IOException {
        long[] samplesNs = new long[WAKE_UPS];
        Bell bell = new Bell(0);
        try (Selector sleeper = JdkChannels.openSelector()) {
            bell.selectable().register(sleeper, SelectionKey.OP_READ);
            for (int i = 0; i < WAKE_UPS; i++) {
                // The thread is asleep again before it is woken.
                LockSupport.parkNanos(MIN_WAKE_UP_NS);
                long startNs = System.nanoTime();
                submit(bell::ring);
                sleeper.select(key -> bell.drain(), WAKE_UP_LIMIT_MS);
                samplesNs[i] = System.nanoTime() - startNs;
            }
        } finally {
            bell.close();
        }
        Arrays.sort(samplesNs);
        wakeUpNs = Math.min(MAX_WAKE_UP_NS, Math.max(MIN_WAKE_UP_NS, WAKE_UPS_PER_TRIP * samplesNs[WAKE_UPS / 2]));
    }

    /** {@return what {@code owner} makes for a new id; it gets the id's events} */
    <T extends IdOwner> T createId(LongFunction<T> owner) throws VerbsException {
        long id = Verbs.createId(channel);
        T made = owner.apply(id);
        owners.put(id, made);
        return made;
    }

    /** Events of an id that came with a connect request go to {@code owner}. */
    void own(long id, IdOwner owner) {
        owners.put(id, owner);
    }

    void disown(long id) {
        owners.remove(id);
    }

    void addEndpoint(long cq, DisniEndpoint endpoint) {
        endpoints.put(cq, endpoint);
    }

    void submit(Runnable task) {
        tasks.add(task);
        if (woken.compareAndSet(false, true)) {
            try {
                Verbs.signalEvent(wakeDescriptor);
            } catch (VerbsException e) {
                throw new IllegalStateException("device thread: cannot be woken", e);
            }
        }
    }

    /** Runs {@code then} on the thread when what the connection manager has reported by now has been passed on. */
    void whenHeard(Runnable then) {
        submit(() -> events.whenHeard(then));
    }

    /** Ends the thread: asleep in the kernel it would delay the exit of the JVM ({@code ProgressThread.endWithJvm}). */
    void end() {
        submit(() -> ended = true);
    }

    void addAdapter(Adapter adapter) {
        submit(() -> {
            adapters.add(adapter);
            adaptersChanged = true;
        });
    }

    // The thread.

    /** Calls {@link DisniEndpoint#onLimit} in {@code limitNs}, unless the limit is replaced or taken back. */
    void limit(DisniEndpoint endpoint, long limitNs) {
        limits.put(endpoint, System.nanoTime() + limitNs);
    }

    /** Has {@code endpoint} probe its peer until {@link DisniEndpoint#probe} returns false. */
    void probeLater(DisniEndpoint endpoint) {
        if (starving.isEmpty()) {
            nextProbeNs = System.nanoTime() + PROBE_NS;
        }
        starving.add(endpoint);
    }

    /** A queue pair has been destroyed: runs {@code then} when no event of its CQ can come any more. */
    void afterLastEvent(Runnable then) {
        endedPairs.add(new Ended(System.nanoTime() + LAST_EVENT_NS, then));
    }

    private void runAfterLastEvents() {
        long nowNs = System.nanoTime();
        for (Ended first; (first = endedPairs.peek()) != null && nowNs - first.dueNs >= 0; ) {
            endedPairs.remove();
            first.then.run();
        }
    }

    /** Runs {@code attendance}, which has just begun, when it is due. */
    void attendLater(Attendance attendance) {
        attended.add(attendance);
    }

    private void attendThoseDue() {
        for (Attendance first; (first = attended.peek()) != null && first.leftNs() <= 0; ) {
            attended.remove();
            first.run();
        }
    }

    /** As {@link org.exsockets.verbs.QueuePair#keepAlive}. */
    void keepAlive(DisniEndpoint endpoint, int idleSeconds) {
        if (owners.get(endpoint.id) == endpoint) {
            keptAlive.set(endpoint, idleSeconds);
        }
    }

    private void probe() {
        long nowNs = System.nanoTime();
        if (!starving.isEmpty() && nowNs - nextProbeNs >= 0) {
            nextProbeNs = nowNs + PROBE_NS;
            starving.removeIf(each -> !each.probe());
        }
    }

    /** Takes back {@link #limit}. */
    void unlimit(DisniEndpoint endpoint) {
        limits.remove(endpoint);
    }

    /** No event of this endpoint is passed on any more. */
    void forget(DisniEndpoint endpoint, long cq) {
        owners.remove(endpoint.id);
        endpoints.remove(cq);
        limits.remove(endpoint);
        starving.remove(endpoint);
        keptAlive.remove(endpoint);
    }

    /** An adapter has been removed or has failed: its connections end; new ones use another one or fall back. */
    private void remove(Adapter adapter, @Nullable String why) {
        adapters.remove(adapter);
        adaptersChanged = true;
        if (adapter.remove()) {
            Log.warn(adapter.name() + ": the RDMA device is gone, its connections are reset: " + why);
            endpoints.values().stream()
                    .filter(each -> each.uses(adapter))
                    .toList()
                    .forEach(DisniEndpoint::onDeviceRemoved);
        }
    }

    private void run() {
        while (!ended) {
            try {
                cycle();
            } catch (VerbsException | RuntimeException | Error e) {
                // Every connection over RDMA depends on this thread; a failure concerns one.
                Log.error("device thread", e);
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NS);
            }
        }
    }

    private void cycle() throws VerbsException {
        if (adaptersChanged) {
            adaptersChanged = false;
            describe();
        }
        long askedNs = System.nanoTime();
        Verbs.waitFor(descriptors, ready, patienceMs());
        for (int i = 0; i < waitedFor.length; i++) {
            if (ready[2 + 2 * i]) {
                passCompletionEvents(waitedFor[i], ready[0] || ready[1]);
            }
        }
        if (ready[0]) {
            Verbs.clearEvent(wakeDescriptor);
            woken.set(false);
        }
        runTasks();
        events.pass(ready[1], askedNs);
        for (int i = 0; i < waitedFor.length; i++) {
            if (ready[3 + 2 * i] && adapters.contains(waitedFor[i])) {
                passAsyncEvents(waitedFor[i]);
            }
        }
        lookAtLimits();
        probe();
        keptAlive.probeThoseDue();
        attendThoseDue();
        if (!endedPairs.isEmpty()) {
            runAfterLastEvents();
        }
    }

    private int patienceMs() {
        if (!tasks.isEmpty() || events.isAskedFor()) {
            return 0;
        }
        Attendance first = attended.peek();
        if (first != null) {
            return 1 + (int) TimeUnit.NANOSECONDS.toMillis(Math.max(0, first.leftNs()));
        }
        if (!limits.isEmpty() || !endedPairs.isEmpty()) {
            return LIMIT_LOOK_MS;
        }
        if (!starving.isEmpty()) {
            return PROBE_LOOK_MS;
        }
        return keptAlive.patienceMs();
    }

    private void describe() {
        waitedFor = adapters.toArray(Adapter[]::new);
        descriptors = new int[2 + 2 * waitedFor.length];
        ready = new boolean[descriptors.length];
        descriptors[0] = wakeDescriptor;
        descriptors[1] = channelDescriptor;
        for (int i = 0; i < waitedFor.length; i++) {
            descriptors[2 + 2 * i] = waitedFor[i].completionDescriptor();
            descriptors[3 + 2 * i] = waitedFor[i].asyncDescriptor();
        }
    }

    private void runTasks() {
        Runnable task;
        for (int i = 0; i < TASKS_AT_ONCE && (task = tasks.poll()) != null; i++) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                Log.error("device thread", e);
            }
        }
    }

    /** @param all false: one is enough, the next wait tells whether there are more; usually there are none */
    private void passCompletionEvents(Adapter adapter, boolean all) {
        try {
            long cq;
            for (int i = 0; i < (all ? EVENTS_AT_ONCE : 1) && (cq = adapter.nextCompletionEvent()) != 0; i++) {
                DisniEndpoint endpoint = endpoints.get(cq);
                if (endpoint != null) {
                    endpoint.onCompletionEvent();
                }
            }
        } catch (VerbsException e) {
            remove(adapter, e.getMessage());
        }
    }

    private boolean passCmEvent() throws VerbsException {
        if (!Verbs.nextCmEvent(channel, event)) {
            return false;
        }
        int type = event.getInt(CmEventDescriptor.TYPE_OFFSET);
        boolean request = type == CmEventDescriptor.CONNECT_REQUEST;
        long id = event.getLong(request ? CmEventDescriptor.LISTEN_ID_OFFSET : CmEventDescriptor.ID_OFFSET);
        IdOwner owner = owners.get(id);
        if (owner != null) {
            owner.onCmEvent(type, event.getInt(CmEventDescriptor.STATUS_OFFSET), event);
        } else if (request) {
            // The listener has been closed meanwhile.
            Verbs.destroyId(event.getLong(CmEventDescriptor.ID_OFFSET));
        }
        return true;
    }

    private void passAsyncEvents(Adapter adapter) {
        try {
            long next;
            for (int i = 0; i < EVENTS_AT_ONCE && (next = Verbs.nextAsyncEvent(adapter.context())) != 0; i++) {
                passAsyncEvent(adapter, (int) next - 1, (int) (next >>> Integer.SIZE));
            }
        } catch (VerbsException e) {
            remove(adapter, e.getMessage());
        }
    }

    private void passAsyncEvent(Adapter adapter, int type, int element) {
        switch (type) {
            case EVENT_PORT_ERR -> Log.info(adapter.name() + ": port " + element + " is down");
            case EVENT_PORT_ACTIVE -> {
                Log.info(adapter.name() + ": port " + element + " is up");
                probePeers(adapter);
            }
            case EVENT_GID_CHANGE -> probePeers(adapter);
            case EVENT_DEVICE_FATAL -> remove(adapter, "fatal device event");
            // Of a failed queue pair the connection learns by its completions; the reset names the queue pair, too.
            case EVENT_CQ_ERR, EVENT_QP_FATAL, EVENT_QP_REQ_ERR, EVENT_QP_ACCESS_ERR ->
                Log.warnFirst(
                        "failed by " + adapter.name() + ": " + type,
                        adapter.name() + ": a queue has failed: " + FAILED_QUEUES[type] + ", qp=" + element);
            default -> Log.debug(adapter.name() + ": asynchronous event: type=" + type + ", element=" + element);
        }
    }

    /**
     * The way to the peers may have changed, or they have ended unheard meanwhile. While a port is down they are not
     * probed: as over TCP, idle connections outlive that.
     */
    private void probePeers(Adapter adapter) {
        endpoints.values().stream().filter(each -> each.uses(adapter)).forEach(DisniEndpoint::probeNow);
    }

    /**
     * Limits are not compared with the current time: when a hundred clients connect at once, this thread takes longer
     * than their limits. The answers of the first have come in time, but wait behind the requests of the last.
     */
    private void lookAtLimits() {
        long nowNs = System.nanoTime();
        if (limits.isEmpty() || nowNs - nextLimitLookNs < 0) {
            return;
        }
        nextLimitLookNs = nowNs + LIMIT_LOOK_NS;
        List<DisniEndpoint> over = new ArrayList<>();
        limits.entrySet().removeIf(each -> events.heardUntilNs() - each.getValue() >= 0 && over.add(each.getKey()));
        over.forEach(DisniEndpoint::onLimit);
    }
}
