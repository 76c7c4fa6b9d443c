package org.exsockets.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.exsockets.observe.Described;

/** The listeners of this JVM that are reached over EXS, until they are closed. Any thread. */
public final class LiveListeners {
    private static final Set<Described> LIVE = ConcurrentHashMap.newKeySet();

    private LiveListeners() {}

    static void add(Described listener) {
        LIVE.add(listener);
    }

    static void remove(Described listener) {
        LIVE.remove(listener);
    }

    public static List<Described> all() {
        return new ArrayList<>(LIVE);
    }
}
