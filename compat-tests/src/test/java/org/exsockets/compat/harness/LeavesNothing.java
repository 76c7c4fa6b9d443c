package org.exsockets.compat.harness;

import java.io.IOException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks after each test class that this process has no more than before the first, but for what {@link Kept} allows. Not over
 * adapters: what the verbs libraries keep is not known.
 */
public final class LeavesNothing implements BeforeAllCallback, AfterAllCallback {
    /** Before the first class: what caches may hold is bounded for the whole process. */
    private static Remains first;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        synchronized (LeavesNothing.class) {
            if (first == null) {
                DefaultGroupThreads.prepare();
                SharedPeer.get();
                first = Remains.now();
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException, IOException {
        if (Transport.underTest() == Transport.DISNI) {
            return;
        }
        Remains before;
        synchronized (LeavesNothing.class) {
            before = first;
        }
        String left = Remains.awaitNothingBeyond(before);
        if (!left.isEmpty()) {
            Stacks.nowOf(context.getRequiredTestClass().getName());
            throw Patience.expired(
                    context.getDisplayName() + " leaves nothing behind, but " + left, Patience.REST_SECONDS);
        }
    }
}
