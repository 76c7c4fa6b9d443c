package org.exsockets.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.exsockets.observe.Description;

/** The listeners of this JVM that are reached over EXS. Any thread. */
public final class LiveListeners {
    /** A listener, until it is closed. */
    public interface Listener {
        /** Tells of itself. Any thread; does not wait. */
        void describe(Description into);
    }

    private static final Set<Listener> LIVE = ConcurrentHashMap.newKeySet();

    private LiveListeners() {}

    static void add(Listener listener) {
        LIVE.add(listener);
    }

    static void remove(Listener listener) {
        LIVE.remove(listener);
    }

    public static List<Listener> all() {
        return new ArrayList<>(LIVE);
    }
}
