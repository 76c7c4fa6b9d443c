package org.exsockets.agent.tooling;

import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Makes the platform's file channels, and from JDK 18 on its channel streams, leave work with our socket channels to a
 * hook. Called when a program first asks for channels, never at the start.
 */
final class TransferWeaver extends PlatformWeaver {
    private static final String HOOK = "java/nio/channels/spi/ExsTransferHook";
    private static final String FILE_CHANNEL = "sun/nio/ch/FileChannelImpl";
    private static final String CHANNEL_INPUT = "sun/nio/ch/ChannelInputStream";
    private static final String CHANNEL_OUTPUT = "sun/nio/ch/ChannelOutputStream";
    private static final String READABLE = "Ljava/nio/channels/ReadableByteChannel;";
    private static final String WRITABLE = "Ljava/nio/channels/WritableByteChannel;";

    /** From JDK 18 on a platform channel's streams read and write at the same time; before, those of no channel do. */
    private static final int FIRST_WITH_OWN_STREAMS = 18;

    private TransferWeaver() {
        super("channels");
    }

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
        TransferWeaver weaver = new TransferWeaver();
        List<ClassDefinition> definitions = new ArrayList<>();
        definitions.add(weaver.woven(FILE_CHANNEL, 2));
        if (Runtime.version().feature() >= FIRST_WITH_OWN_STREAMS) {
            definitions.add(weaver.woven(CHANNEL_INPUT, 2));
            definitions.add(weaver.woven(CHANNEL_OUTPUT, 1));
        }
        instrumentation.redefineClasses(definitions.toArray(new ClassDefinition[0]));
    }

    /** Puts a gate before the body of each method to weave. */
    @Override
    MethodVisitor wovenMethod(String className, String method, MethodVisitor next) {
        Gate gate = gate(className, method, next);
        if (gate == null) {
            return next;
        }
        countInsertion();
        return gate;
    }

    private static Gate gate(String className, String method, MethodVisitor next) {
        if (className.equals(FILE_CHANNEL) && method.equals("transferToArbitraryChannel(JJ" + WRITABLE + ")J")) {
            return new TransferToGate(next);
        }
        if (className.equals(FILE_CHANNEL) && method.equals("transferFromArbitraryChannel(" + READABLE + "JJ)J")) {
            return new TransferFromGate(next);
        }
        if (className.equals(CHANNEL_INPUT) && method.equals("read(Ljava/nio/ByteBuffer;)I")) {
            return new StreamReadGate(next);
        }
        if (className.equals(CHANNEL_INPUT) && method.equals("available()I")) {
            return new StreamAvailableGate(next);
        }
        if (className.equals(CHANNEL_OUTPUT) && method.equals("write([BII)V")) {
            return new StreamWriteGate(next);
        }
        return null;
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

    private abstract static class InputGate extends Gate {
        InputGate(MethodVisitor next) {
            super(next);
        }

        @Override
        final void loadChannel() {
            visitVarInsn(Opcodes.ALOAD, 0);
            visitFieldInsn(Opcodes.GETFIELD, CHANNEL_INPUT, "ch", READABLE);
        }
    }

    private static final class StreamReadGate extends InputGate {
        StreamReadGate(MethodVisitor next) {
            super(next);
        }

        @Override
        void callAndReturn() {
            loadChannel();
            visitVarInsn(Opcodes.ALOAD, 1);
            callHook("read", "(" + READABLE + "Ljava/nio/ByteBuffer;)I");
            visitInsn(Opcodes.IRETURN);
        }
    }

    private static final class StreamAvailableGate extends InputGate {
        StreamAvailableGate(MethodVisitor next) {
            super(next);
        }

        @Override
        void callAndReturn() {
            loadChannel();
            callHook("available", "(" + READABLE + ")I");
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
