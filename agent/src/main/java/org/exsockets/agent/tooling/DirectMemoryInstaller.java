package org.exsockets.agent.tooling;

import java.lang.instrument.Instrumentation;
import java.util.function.BooleanSupplier;
import org.exsockets.agent.bootstrap.HookClasses;
import org.exsockets.install.Installation;

/**
 * Installs the hook of direct buffers and mapped files, at the start if buffers are to be placed, otherwise when the
 * provider asks for it. Used by one thread at a time.
 */
final class DirectMemoryInstaller implements BooleanSupplier {
    private final Installation installation;
    private final Instrumentation instrumentation;
    private boolean tried;
    private boolean woven;

    DirectMemoryInstaller(Installation installation, Instrumentation instrumentation) {
        this.installation = installation;
        this.instrumentation = instrumentation;
    }

    /** Defines the hook and weaves its calls, once; a failure is logged, and nothing is woven then. */
    @Override
    public synchronized boolean getAsBoolean() {
        if (!tried) {
            tried = true;
            try {
                HookClasses.defineDirectMemory(installation.directBufferPlacing(), installation.directMemoryFreeing());
                DirectMemoryWeaver.weave(instrumentation);
                woven = true;
            } catch (Exception | LinkageError | InternalError e) {
                installation.directMemoryNotWoven(e);
            }
        }
        return woven;
    }
}
