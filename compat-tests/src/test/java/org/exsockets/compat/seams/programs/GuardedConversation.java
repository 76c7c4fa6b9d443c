package org.exsockets.compat.seams.programs;

import java.nio.channels.AsynchronousChannelGroup;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Sets a security manager that asks the policy, before it uses anything of the network, and has its conversation. Then
 * it has groups of asynchronous channels run tasks, for callers with its own permissions and for one without any.
 */
@SuppressWarnings("removal")
public final class GuardedConversation {
    private static final AccessControlContext NOTHING =
            new AccessControlContext(new ProtectionDomain[] {new ProtectionDomain(null, null)});

    private GuardedConversation() {}

    public static void main(String[] arguments) throws Exception {
        System.setSecurityManager(new SecurityManager());
        Conversation.main(arguments);
        tasks("fixed", AsynchronousChannelGroup.withFixedThreadPool(1, Executors.defaultThreadFactory()));
        tasks("cached", AsynchronousChannelGroup.withCachedThreadPool(Executors.newCachedThreadPool(), 1));
        tasks("single", AsynchronousChannelGroup.withThreadPool(Executors.newSingleThreadExecutor()));
        System.exit(0);
    }

    private static void tasks(String kind, AsynchronousChannelGroup group) throws Exception {
        Executor executor = (Executor) group;
        System.out.println(kind + ", for the program: " + given(executor));
        System.out.println(kind + ", for one who may nothing: "
                + AccessController.doPrivileged((PrivilegedAction<String>) () -> given(executor), NOTHING));
        group.shutdown();
    }

    /** {@return what a task may do} */
    private static String given(Executor executor) {
        CompletableFuture<String> told = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                told.complete("reads " + System.getProperty("guarded"));
            } catch (SecurityException e) {
                told.complete(e.toString());
            }
        });
        return told.join();
    }
}
