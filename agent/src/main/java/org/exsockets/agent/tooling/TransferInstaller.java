package org.exsockets.agent.tooling;

import java.lang.instrument.Instrumentation;
import org.exsockets.agent.bootstrap.HookClasses;
import org.exsockets.install.Installation;

/**
 * Installs the hooks of file channels and channel streams. Without them, copies between files and socket channels go
 * through the platform's small array. Used by one thread at a time.
 */
final class TransferInstaller {
    private final Installation installation;
    private final Instrumentation instrumentation;
    private boolean begun;

    TransferInstaller(Installation installation, Instrumentation instrumentation) {
        this.installation = installation;
        this.instrumentation = instrumentation;
    }

    /**
     * {@return whether this is the first call; another agent's transformer may use channels while we weave, and call
     * again}
     */
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
