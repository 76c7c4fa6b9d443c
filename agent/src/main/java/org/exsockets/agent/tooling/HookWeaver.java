package org.exsockets.agent.tooling;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Inserts one call of a hook into each of a few JDK methods, wherever in the JVM's life that is.
 *
 * <p>The classes are redefined, not retransformed: what a transformer adds is lost as soon as it has been removed and
 * another agent retransforms the class, and one that stays makes the JVM load every class of the program the slow way.
 * Transformers of other agents still apply on top. Owned by the installing thread.
 */
final class HookWeaver {
    private static final int API = Opcodes.ASM9;
    private static final String SOCKET_IMPL = "java/net/SocketImpl";
    private static final String PLATFORM_SERVER = "sun/nio/ch/NioSocketImpl";
    private static final String OLD_PLATFORM_SERVER = "java/net/AbstractPlainSocketImpl";
    private static final String SELECTOR_PROVIDER = "java/nio/channels/spi/SelectorProvider";
    private static final String ASYNCHRONOUS_PROVIDER = "java/nio/channels/spi/AsynchronousChannelProvider";

    private HookWeaver() {}

    /**
     * Weaves the hooks' calls into the JDK: all of them, or none.
     *
     * @throws IllegalStateException if a method to weave is not where it is expected
     * @throws ReflectiveOperationException if a class to weave is not there
     * @throws IOException if a class file of the JDK cannot be read
     * @throws UnmodifiableClassException if the JVM refuses the change
     */
    static void weave(Instrumentation instrumentation)
            throws ReflectiveOperationException, IOException, UnmodifiableClassException {
        String platformServer = usesOldPlatformSockets() ? OLD_PLATFORM_SERVER : PLATFORM_SERVER;
        instrumentation.redefineClasses(
                woven(SOCKET_IMPL), woven(platformServer), woven(SELECTOR_PROVIDER), woven(ASYNCHRONOUS_PROVIDER));
    }

    /** Reads the switch as JDK 17 does, the last one that has it. */
    private static boolean usesOldPlatformSockets() {
        String value = System.getProperty("jdk.net.usePlainSocketImpl");
        return Runtime.version().feature() == 17 && value != null && !value.equalsIgnoreCase("false");
    }

    /** {@return a class file of java.base} */
    static ClassReader platformClass(String className) throws ClassNotFoundException, IOException {
        try (InputStream in = Object.class.getModule().getResourceAsStream(className + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(className);
            }
            return new ClassReader(in.readAllBytes());
        }
    }

    private static ClassDefinition woven(String className) throws ReflectiveOperationException, IOException {
        ClassReader reader = platformClass(className);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        HookCalls calls = new HookCalls(writer, className);
        reader.accept(calls, 0);
        if (calls.inserted != 1) {
            throw new IllegalStateException("this JDK's sockets are built differently: class=" + className
                    + ", methods to weave=" + calls.inserted);
        }
        return new ClassDefinition(Class.forName(className.replace('/', '.'), false, null), writer.toByteArray());
    }

    /** Picks the one method to weave of each class. */
    private static final class HookCalls extends ClassVisitor {
        private final String className;
        private int inserted;

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
                inserted++;
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
                return new ProviderExit(method, SELECTOR_PROVIDER, "ExsSelectorProviderHook");
            }
            if (className.equals(ASYNCHRONOUS_PROVIDER)
                    && name.equals("provider")
                    && descriptor.equals("()Ljava/nio/channels/spi/AsynchronousChannelProvider;")) {
                return new ProviderExit(method, ASYNCHRONOUS_PROVIDER, "ExsAsynchronousProviderHook");
            }
            if ((className.equals(PLATFORM_SERVER) || className.equals(OLD_PLATFORM_SERVER))
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
