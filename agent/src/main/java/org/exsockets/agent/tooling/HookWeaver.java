package org.exsockets.agent.tooling;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.SocketImpl;
import java.nio.channels.spi.SelectorProvider;
import java.security.ProtectionDomain;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Inserts one call of a hook into each of a few JDK methods, wherever in the JVM's life that is, and is then gone.
 *
 * <p>Owned by the installing thread; the JVM calls {@link #transform} in it, and in every thread that loads a class
 * meanwhile, which it answers by leaving that class alone.
 */
final class HookWeaver implements ClassFileTransformer {
    private static final int API = Opcodes.ASM9;
    private static final String SOCKET_IMPL = "java/net/SocketImpl";
    private static final String PLATFORM_SERVER = "sun/nio/ch/NioSocketImpl";
    private static final String SELECTOR_PROVIDER = "java/nio/channels/spi/SelectorProvider";

    private int woven;
    private Throwable failure;

    private HookWeaver() {}

    /**
     * Weaves the hooks' calls into the JDK.
     *
     * @throws IllegalStateException if a method to weave is not there, or the JVM or ASM refuses the change; some
     *     methods may be woven all the same, which is harmless while the hooks are inactive
     */
    static void weave(Instrumentation instrumentation) {
        HookWeaver weaver = new HookWeaver();
        Class<?>[] targets;
        instrumentation.addTransformer(weaver, true);
        try {
            targets = new Class<?>[] {
                SocketImpl.class, SelectorProvider.class, Class.forName(PLATFORM_SERVER.replace('/', '.'), false, null)
            };
            instrumentation.retransformClasses(targets);
        } catch (ClassNotFoundException | UnmodifiableClassException e) {
            throw new IllegalStateException("this JVM does not let its sockets be woven: " + e, e);
        } finally {
            instrumentation.removeTransformer(weaver);
        }
        if (weaver.failure != null) {
            throw new IllegalStateException("weaving failed: " + weaver.failure, weaver.failure);
        }
        if (weaver.woven != targets.length) {
            throw new IllegalStateException("this JDK's sockets are built differently: woven=" + weaver.woven
                    + ", expected=" + targets.length);
        }
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String className, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (loader != null || redefined == null) {
            return null;
        }
        if (!SOCKET_IMPL.equals(className)
                && !PLATFORM_SERVER.equals(className)
                && !SELECTOR_PROVIDER.equals(className)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(classFile);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new HookCalls(writer, className), 0);
            return writer.toByteArray();
        } catch (Throwable e) {
            // The JVM would swallow it.
            failure = e;
            return null;
        }
    }

    /** Picks the one method to weave of each class. */
    private final class HookCalls extends ClassVisitor {
        private final String className;

        HookCalls(ClassVisitor next, String className) {
            super(API, next);
            this.className = className;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            MethodVisitor hooked = hook(method, name, descriptor);
            if (hooked != method) {
                woven++;
            }
            return hooked;
        }

        private MethodVisitor hook(MethodVisitor method, String name, String descriptor) {
            if (className.equals(SOCKET_IMPL)
                    && name.equals("createPlatformSocketImpl")
                    && descriptor.equals("(Z)Ljava/net/SocketImpl;")) {
                return new PlatformSocketExit(method);
            }
            if (className.equals(SELECTOR_PROVIDER)
                    && name.equals("provider")
                    && descriptor.equals("()Ljava/nio/channels/spi/SelectorProvider;")) {
                return new SelectorProviderExit(method);
            }
            if (className.equals(PLATFORM_SERVER)
                    && name.equals("accept")
                    && descriptor.equals("(Ljava/net/SocketImpl;)V")) {
                return new PlatformAcceptEntry(method);
            }
            return method;
        }
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

    private static final class SelectorProviderExit extends MethodVisitor {
        SelectorProviderExit(MethodVisitor next) {
            super(API, next);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        "java/nio/channels/spi/ExsSelectorProviderHook",
                        "onProvider",
                        "(Ljava/nio/channels/spi/SelectorProvider;)Ljava/nio/channels/spi/SelectorProvider;",
                        false);
            }
            super.visitInsn(opcode);
        }
    }

    private static final class PlatformAcceptEntry extends MethodVisitor {
        PlatformAcceptEntry(MethodVisitor next) {
            super(API, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitVarInsn(Opcodes.ALOAD, 1);
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    "java/net/ExsSocketHook",
                    "onPlatformAccept",
                    "(Ljava/net/SocketImpl;)Ljava/net/SocketImpl;",
                    false);
            super.visitVarInsn(Opcodes.ASTORE, 1);
        }
    }
}
