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
     * Weaves the hooks' calls into the JDK: all of them, or none. {@link ServerSocketWeaver} does its part later.
     *
     * @throws IllegalStateException if a method to weave is not where it is expected
     * @throws ReflectiveOperationException if a class to weave is not there
     * @throws IOException if a class file of the JDK cannot be read
     * @throws UnmodifiableClassException if the JVM refuses the change
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
            return new PlatformSocketExit(next);
        }
        if (className.equals(SELECTOR_PROVIDER)
                && method.equals("provider()Ljava/nio/channels/spi/SelectorProvider;")) {
            return new ProviderExit(next, SELECTOR_PROVIDER, "ExsSelectorProviderHook");
        }
        if (className.equals(ASYNCHRONOUS_PROVIDER)
                && method.equals("provider()Ljava/nio/channels/spi/AsynchronousChannelProvider;")) {
            return new ProviderExit(next, ASYNCHRONOUS_PROVIDER, "ExsAsynchronousProviderHook");
        }
        return next;
    }

    private static final class PlatformSocketExit extends MethodVisitor {
        PlatformSocketExit(MethodVisitor next) {
            super(API, next);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                super.visitVarInsn(Opcodes.ILOAD, 0);
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        "java/net/ExsSocketHook",
                        "onCreate",
                        "(Ljava/net/SocketImpl;Z)Ljava/net/SocketImpl;",
                        false);
            }
            super.visitInsn(opcode);
        }
    }

    private static final class ProviderExit extends MethodVisitor {
        private final String provider;
        private final String hook;

        ProviderExit(MethodVisitor next, String provider, String hook) {
            super(API, next);
            this.provider = provider;
            this.hook = hook;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        "java/nio/channels/spi/" + hook,
                        "onProvider",
                        "(L" + provider + ";)L" + provider + ";",
                        false);
            }
            super.visitInsn(opcode);
        }
    }
}
