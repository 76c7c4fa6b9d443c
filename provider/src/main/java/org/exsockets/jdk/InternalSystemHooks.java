package org.exsockets.jdk;

import jdk.internal.access.SharedSecrets;

/**
 * The JDK's system hooks, if their package is open. Not by reflection: on JDK 18 and later its first call with such
 * arguments makes ten classes.
 */
final class InternalSystemHooks extends LateShutdown {
    /** The JDK uses the slots 0 to 2; there are ten. */
    private static final int FIRST_SLOT = 5;

    private static final int SLOTS = 10;

    @Override
    boolean tryRegister(Runnable task) {
        for (int slot = FIRST_SLOT; slot < SLOTS; slot++) {
            try {
                SharedSecrets.getJavaLangAccess().registerShutdownHook(slot, true, task);
                return true;
            } catch (InternalError | IllegalStateException slotTaken) {
                continue; // Or the JVM ends, and is past this slot.
            }
        }
        return false;
    }
}
