package org.exsockets.install;

import java.util.function.UnaryOperator;
import org.exsockets.observe.Log;

/**
 * Replaces the JDK's own provider by ours; leaves any other as it is. The first call decides for all. Any thread; never
 * throws.
 */
abstract class ReplacingProvider<P> implements UnaryOperator<P> {
    private final String foreign;

    /** What every call returns; null before the first one. Written under the monitor. */
    private volatile P chosen;

    /** @param foreign the warning if the program has a provider of its own; the name of its class is added */
    ReplacingProvider(String foreign) {
        this.foreign = foreign;
    }

    /** {@return our provider; called at most once, with the JDK's own} */
    abstract P replacementFor(P platform);

    @Override
    public P apply(P original) {
        P known = chosen;
        return known != null ? known : choose(original);
    }

    private synchronized P choose(P original) {
        if (chosen == null) {
            String name = original.getClass().getName();
            if (name.startsWith("sun.nio.ch.")) {
                chosen = replacementFor(original);
            } else {
                if (!name.startsWith("org.exsockets.")) {
                    Log.warn(foreign + name);
                }
                chosen = original;
            }
        }
        return chosen;
    }
}
