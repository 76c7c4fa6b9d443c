package org.exsockets.agent.tooling;

import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.exsockets.jdk.InsideJdk;
import org.exsockets.jdk.JdkDiffersException;

/**
 * Inserts one call of a hook into each of a few JDK methods, at the start of the JVM or later. Owned by the installing
 * thread.
 */
final class HookWeaver extends PlatformWeaver {
    private HookWeaver() {
        super("sockets");
    }

    /**
     * Weaves the hooks' calls into the JDK: all of them, or none; fails if the JVM refuses the change. Sockets are left
     * out where they are built differently. {@link ServerSocketWeaver} does its part later.
     *
     * @param sockets whether to weave them, too
     * @return why sockets are not woven; null if they are, or are not to be
     */
    static JdkDiffersException weave(Instrumentation instrumentation, boolean sockets)
            throws ClassNotFoundException, IOException, UnmodifiableClassException {
        HookWeaver weaver = new HookWeaver();
        ClassDefinition selectors = weaver.woven(SelectorProvider.class, 1);
        ClassDefinition asynchronous = weaver.woven(AsynchronousChannelProvider.class, 1);
        JdkDiffersException differs = null;
        if (sockets) {
            try {
                instrumentation.redefineClasses(weaver.woven(InsideJdk.SOCKETS, 1), selectors, asynchronous);
                return null;
            } catch (JdkDiffersException e) {
                differs = e;
            }
        }
        instrumentation.redefineClasses(selectors, asynchronous);
        return differs;
    }

    @Override
    MethodVisitor wovenMethod(String className, String method, MethodVisitor next) {
        if (className.equals(InsideJdk.SOCKETS.internalName())
                && method.equals(InsideJdk.SOCKETS.members().get(0))) {
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
