package org.exsockets.agent.tooling;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Inserts one call of a hook into each of a few JDK methods, at the start of the JVM or later. Owned by the installing
 * thread.
 */
final class HookWeaver extends PlatformWeaver {
    private static final String SOCKET_IMPL = "java/net/SocketImpl";
    private static final String SELECTOR_PROVIDER = "java/nio/channels/spi/SelectorProvider";
    private static final String ASYNCHRONOUS_PROVIDER = "java/nio/channels/spi/AsynchronousChannelProvider";

    private HookWeaver() {
        super("sockets");
    }

    /**
     * Weaves the hooks' calls into the JDK: all of them, or none; fails as {@link PlatformWeaver#woven}, or if the JVM
     * refuses the change. {@link ServerSocketWeaver} does its part later.
     */
    static void weave(Instrumentation instrumentation)
            throws ReflectiveOperationException, IOException, UnmodifiableClassException {
        HookWeaver weaver = new HookWeaver();
        instrumentation.redefineClasses(
                weaver.woven(SOCKET_IMPL, 1),
                weaver.woven(SELECTOR_PROVIDER, 1),
                weaver.woven(ASYNCHRONOUS_PROVIDER, 1));
    }

    @Override
    MethodVisitor wovenMethod(String className, String method, MethodVisitor next) {
        MethodVisitor hooked = hook(className, method, next);
        if (hooked != next) {
            countInsertion();
        }
        return hooked;
    }

    private static MethodVisitor hook(String className, String method, MethodVisitor next) {
        if (className.equals(SOCKET_IMPL) && method.equals("createPlatformSocketImpl(Z)Ljava/net/SocketImpl;")) {
            String descriptor = "(Ljava/net/SocketImpl;Z)Ljava/net/SocketImpl;";
            return new Exit(next, "java/net/ExsSocketHook", "onCreate", descriptor, true);
        }
        if (className.equals(SELECTOR_PROVIDER)
                && method.equals("provider()Ljava/nio/channels/spi/SelectorProvider;")) {
            return providerExit(next, SELECTOR_PROVIDER, "ExsSelectorProviderHook");
        }
        if (className.equals(ASYNCHRONOUS_PROVIDER)
                && method.equals("provider()Ljava/nio/channels/spi/AsynchronousChannelProvider;")) {
            return providerExit(next, ASYNCHRONOUS_PROVIDER, "ExsAsynchronousProviderHook");
        }
        return next;
    }

    private static MethodVisitor providerExit(MethodVisitor next, String provider, String hook) {
        String descriptor = "(L" + provider + ";)L" + provider + ";";
        return new Exit(next, "java/nio/channels/spi/" + hook, "onProvider", descriptor, false);
    }

    /** Passes what is returned through a hook. */
    private static final class Exit extends MethodVisitor {
        private final String hook;
        private final String hookMethod;
        private final String descriptor;
        private final boolean withParameter;

        /** @param withParameter the hook also gets the method's parameter, a boolean */
        Exit(MethodVisitor next, String hook, String hookMethod, String descriptor, boolean withParameter) {
            super(API, next);
            this.hook = hook;
            this.hookMethod = hookMethod;
            this.descriptor = descriptor;
            this.withParameter = withParameter;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                if (withParameter) {
                    super.visitVarInsn(Opcodes.ILOAD, 0);
                }
                super.visitMethodInsn(Opcodes.INVOKESTATIC, hook, hookMethod, descriptor, false);
            }
            super.visitInsn(opcode);
        }
    }
}
