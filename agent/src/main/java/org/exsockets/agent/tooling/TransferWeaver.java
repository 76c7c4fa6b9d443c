package org.exsockets.agent.tooling;

import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Lets the platform's file channels, and from JDK 18 on its channel streams, leave work with our socket channels to a
 * hook. Called when a program first asks for channels, never at the start; {@link HookWeaver} says why it redefines.
 */
final class TransferWeaver {
    private static final int API = Opcodes.ASM9;
    private static final String HOOK = "java/nio/channels/spi/ExsTransferHook";
    private static final String FILE_CHANNEL = "sun/nio/ch/FileChannelImpl";
    private static final String CHANNEL_INPUT = "sun/nio/ch/ChannelInputStream";
    private static final String CHANNEL_OUTPUT = "sun/nio/ch/ChannelOutputStream";
    private static final String READABLE = "Ljava/nio/channels/ReadableByteChannel;";
    private static final String WRITABLE = "Ljava/nio/channels/WritableByteChannel;";

    /** Since JDK 18 a platform channel's streams read and write at the same time; before, no channel's do. */
    private static final int FIRST_WITH_OWN_STREAMS = 18;

    private TransferWeaver() {}

    /**
     * Weaves all or nothing.
     *
     * @throws IllegalStateException if a method to weave is not where it is expected
     * @throws ReflectiveOperationException if a class to weave is not there
     * @throws IOException if a class file of the JDK cannot be read
     * @throws UnmodifiableClassException if the JVM refuses the change
     */
    static void weave(Instrumentation instrumentation)
            throws ReflectiveOperationException, IOException, UnmodifiableClassException {
        List<ClassDefinition> definitions = new ArrayList<>();
        definitions.add(woven(FILE_CHANNEL, 2));
        if (Runtime.version().feature() >= FIRST_WITH_OWN_STREAMS) {
            definitions.add(woven(CHANNEL_INPUT, 1));
            definitions.add(woven(CHANNEL_OUTPUT, 1));
        }
        instrumentation.redefineClasses(definitions.toArray(new ClassDefinition[0]));
    }

    private static ClassDefinition woven(String className, int expected)
            throws ReflectiveOperationException, IOException {
        ClassReader reader = HookWeaver.platformClass(className);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        Gates gates = new Gates(writer, className);
        reader.accept(gates, 0);
        if (gates.inserted != expected) {
            throw new IllegalStateException("this JDK's channels are built differently: class=" + className
                    + ", methods to weave=" + gates.inserted + ", expected=" + expected);
        }
        return new ClassDefinition(Class.forName(className.replace('/', '.'), false, null), writer.toByteArray());
    }

    /** Puts a gate before the body of each method to weave. */
    private static final class Gates extends ClassVisitor {
        private final String className;
        private int inserted;

        Gates(ClassVisitor next, String className) {
            super(API, next);
            this.className = className;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            Gate gate = gate(method, name + descriptor);
            if (gate == null) {
                return method;
            }
            inserted++;
            return gate;
        }

        private Gate gate(MethodVisitor method, String signature) {
            if (className.equals(FILE_CHANNEL) && signature.equals("transferToArbitraryChannel(JJ" + WRITABLE + ")J")) {
                return new TransferToGate(method);
            }
            if (className.equals(FILE_CHANNEL)
                    && signature.equals("transferFromArbitraryChannel(" + READABLE + "JJ)J")) {
                return new TransferFromGate(method);
            }
            if (className.equals(CHANNEL_INPUT) && signature.equals("read(Ljava/nio/ByteBuffer;)I")) {
                return new StreamReadGate(method);
            }
            if (className.equals(CHANNEL_OUTPUT) && signature.equals("write([BII)V")) {
                return new StreamWriteGate(method);
            }
            return null;
        }
    }

    /** {@code if (ExsTransferHook.concerns(channel)) return ExsTransferHook....; } before everything else. */
    private abstract static class Gate extends MethodVisitor {
        Gate(MethodVisitor next) {
            super(API, next);
        }

        abstract void loadChannel();

        abstract void callAndReturn();

        @Override
        public final void visitCode() {
            super.visitCode();
            Label notConcerned = new Label();
            loadChannel();
            callHook("concerns", "(Ljava/lang/Object;)Z");
            super.visitJumpInsn(Opcodes.IFEQ, notConcerned);
            callAndReturn();
            super.visitLabel(notConcerned);
            super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            // The body may begin with a frame of its own, and there may be only one at a place.
            super.visitInsn(Opcodes.NOP);
        }

        final void callHook(String name, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, name, descriptor, false);
        }
    }

    private static final class TransferToGate extends Gate {
        TransferToGate(MethodVisitor next) {
            super(next);
        }

        @Override
        void loadChannel() {
            visitVarInsn(Opcodes.ALOAD, 5);
        }

        @Override
        void callAndReturn() {
            visitVarInsn(Opcodes.ALOAD, 0);
            visitVarInsn(Opcodes.LLOAD, 1);
            visitVarInsn(Opcodes.LLOAD, 3);
            visitVarInsn(Opcodes.ALOAD, 5);
            callHook("transferTo", "(Ljava/nio/channels/FileChannel;JJ" + WRITABLE + ")J");
            visitInsn(Opcodes.LRETURN);
        }
    }

    private static final class TransferFromGate extends Gate {
        TransferFromGate(MethodVisitor next) {
            super(next);
        }

        @Override
        void loadChannel() {
            visitVarInsn(Opcodes.ALOAD, 1);
        }

        @Override
        void callAndReturn() {
            visitVarInsn(Opcodes.ALOAD, 1);
            visitVarInsn(Opcodes.ALOAD, 0);
            visitVarInsn(Opcodes.LLOAD, 2);
            visitVarInsn(Opcodes.LLOAD, 4);
            callHook("transferFrom", "(" + READABLE + "Ljava/nio/channels/FileChannel;JJ)J");
            visitInsn(Opcodes.LRETURN);
        }
    }

    private static final class StreamReadGate extends Gate {
        StreamReadGate(MethodVisitor next) {
            super(next);
        }

        @Override
        void loadChannel() {
            visitVarInsn(Opcodes.ALOAD, 0);
            visitFieldInsn(Opcodes.GETFIELD, CHANNEL_INPUT, "ch", READABLE);
        }

        @Override
        void callAndReturn() {
            loadChannel();
            visitVarInsn(Opcodes.ALOAD, 1);
            callHook("read", "(" + READABLE + "Ljava/nio/ByteBuffer;)I");
            visitInsn(Opcodes.IRETURN);
        }
    }

    private static final class StreamWriteGate extends Gate {
        StreamWriteGate(MethodVisitor next) {
            super(next);
        }

        @Override
        void loadChannel() {
            visitVarInsn(Opcodes.ALOAD, 0);
            visitFieldInsn(Opcodes.GETFIELD, CHANNEL_OUTPUT, "ch", WRITABLE);
        }

        @Override
        void callAndReturn() {
            loadChannel();
            visitVarInsn(Opcodes.ALOAD, 1);
            visitVarInsn(Opcodes.ILOAD, 2);
            visitVarInsn(Opcodes.ILOAD, 3);
            callHook("write", "(" + WRITABLE + "[BII)V");
            visitInsn(Opcodes.RETURN);
        }
    }
}
