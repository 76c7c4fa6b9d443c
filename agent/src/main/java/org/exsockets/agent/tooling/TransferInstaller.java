package org.exsockets.agent.tooling;

import java.lang.instrument.Instrumentation;
import org.exsockets.agent.bootstrap.HookClasses;
import org.exsockets.install.Installation;

/**
 * Brings in the hooks of file channels and channel streams. Used by one thread at a time. Without them everything works,
 * only that copies between files and socket channels go through the platform's small array.
 */
final class TransferInstaller {
    private final Installation installation;
    private final Instrumentation instrumentation;
    private boolean begun;

    TransferInstaller(Installation installation, Instrumentation instrumentation) {
        this.installation = installation;
        this.instrumentation = instrumentation;
    }

    /** {@return true for the first call; weaving may come back here when another agent's transformer uses channels} */
    boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** Defines the hook and weaves its calls; a failure is logged, and nothing is woven then. */
    void install() {
        try {
            HookClasses.defineTransfers(
                    installation.transferringChannels(), installation.transferTo(), installation.transferFrom());
            TransferWeaver.weave(instrumentation);
        } catch (Exception | LinkageError | InternalError e) {
            installation.transfersNotWoven(e);
        }
    }
}
