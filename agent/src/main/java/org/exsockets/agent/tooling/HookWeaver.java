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
        if (className.equals(SOCKET_IMPL) && method.equals("createPlatformSocketImpl(Z)Ljava/net/SocketImpl;")) {
            String descriptor = "(Ljava/net/SocketImpl;Z)Ljava/net/SocketImpl;";
            return exit(next, "java/net/ExsSocketHook", "onCreate", descriptor, true);
        }
        if (method.equals("provider()L" + className + ";")) {
            String descriptor = "(L" + className + ";)L" + className + ";";
            return exit(next, "java/nio/channels/spi/ExsProviderHook", "onProvider", descriptor, false);
        }
        return next;
    }

    /**
     * Passes what is returned through a hook.
     *
     * @param withParameter the hook also gets the method's parameter, a boolean
     */
    private MethodVisitor exit(
            MethodVisitor next, String hook, String hookMethod, String descriptor, boolean withParameter) {
        countInsertion();
        return new MethodVisitor(API, next) {
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
        };
    }
}
