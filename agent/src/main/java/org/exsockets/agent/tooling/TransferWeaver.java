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
import org.exsockets.jdk.InsideJdk;

/**
 * Makes the platform's file channels, and from JDK 18 on its channel streams, leave work with our socket channels to a
 * hook. Called when a program first asks for channels, never at the start.
 */
final class TransferWeaver extends PlatformWeaver {
    private static final String HOOK = "java/nio/channels/spi/ExsTransferHook";
    private static final String FILE_CHANNEL = InsideJdk.FILE_CHANNELS.internalName();
    private static final String CHANNEL_INPUT = InsideJdk.CHANNEL_INPUT.internalName();
    private static final String CHANNEL_OUTPUT = InsideJdk.CHANNEL_OUTPUT.internalName();
    private static final String READABLE = "Ljava/nio/channels/ReadableByteChannel;";
    private static final String WRITABLE = "Ljava/nio/channels/WritableByteChannel;";

    /** From JDK 18 on a platform channel's streams read and write at the same time; before, those of no channel do. */
    private static final int FIRST_WITH_OWN_STREAMS = 18;

    private TransferWeaver() {
        super("channels");
    }

    /** Weaves all or nothing; fails as {@link PlatformWeaver#woven}, or if the JVM refuses the change. */
    static void weave(Instrumentation instrumentation)
            throws ClassNotFoundException, IOException, UnmodifiableClassException {
        TransferWeaver weaver = new TransferWeaver();
        List<ClassDefinition> definitions = new ArrayList<>();
        definitions.add(weaver.woven(InsideJdk.FILE_CHANNELS, 2));
        if (Runtime.version().feature() >= FIRST_WITH_OWN_STREAMS) {
            definitions.add(weaver.woven(InsideJdk.CHANNEL_INPUT, 2));
            definitions.add(weaver.woven(InsideJdk.CHANNEL_OUTPUT, 1));
        }
        instrumentation.redefineClasses(definitions.toArray(new ClassDefinition[0]));
    }

    /** Puts a gate before the body of each method to weave. */
    @Override
    MethodVisitor wovenMethod(String className, String method, MethodVisitor next) {
        boolean file = className.equals(FILE_CHANNEL);
        boolean input = className.equals(CHANNEL_INPUT);
        if (file && method.equals(InsideJdk.FILE_CHANNELS.member(0) + "(JJ" + WRITABLE + ")J")) {
            String descriptor = "(Ljava/nio/channels/FileChannel;JJ" + WRITABLE + ")J";
            int[] passed = {Opcodes.ALOAD, 0, Opcodes.LLOAD, 1, Opcodes.LLOAD, 3, Opcodes.ALOAD, 5};
            return gate(next, 5, null, null, "transferTo", descriptor, passed, Opcodes.LRETURN);
        }
        if (file && method.equals(InsideJdk.FILE_CHANNELS.member(1) + "(" + READABLE + "JJ)J")) {
            String descriptor = "(" + READABLE + "Ljava/nio/channels/FileChannel;JJ)J";
            int[] passed = {Opcodes.ALOAD, 1, Opcodes.ALOAD, 0, Opcodes.LLOAD, 2, Opcodes.LLOAD, 4};
            return gate(next, 1, null, null, "transferFrom", descriptor, passed, Opcodes.LRETURN);
        }
        if (input && method.equals(InsideJdk.CHANNEL_INPUT.members().get(0))) {
            String descriptor = "(" + READABLE + "Ljava/nio/ByteBuffer;)I";
            int[] passed = {Opcodes.ALOAD, 1};
            return gate(next, 0, CHANNEL_INPUT, READABLE, "read", descriptor, passed, Opcodes.IRETURN);
        }
        if (input && method.equals("available()I")) {
            String descriptor = "(" + READABLE + ")I";
            return gate(next, 0, CHANNEL_INPUT, READABLE, "available", descriptor, new int[0], Opcodes.IRETURN);
        }
        if (className.equals(CHANNEL_OUTPUT) && method.equals("write([BII)V")) {
            String descriptor = "(" + WRITABLE + "[BII)V";
            int[] passed = {Opcodes.ALOAD, 1, Opcodes.ILOAD, 2, Opcodes.ILOAD, 3};
            return gate(next, 0, CHANNEL_OUTPUT, WRITABLE, "write", descriptor, passed, Opcodes.RETURN);
        }
        return next;
    }

    /**
     * {@code if (ExsTransferHook.concerns(channel)) return ExsTransferHook....; } before everything else.
     *
     * @param variable the channel, or the object that has it in a field
     * @param owner the class of that object, which the hook's method gets the channel from; null: the channel itself
     * @param type of the field
     * @param passed pairs of a load instruction and its variable: the arguments, behind the channel of a field
     */
    private MethodVisitor gate(
            MethodVisitor next,
            int variable,
            String owner,
            String type,
            String hookMethod,
            String descriptor,
            int[] passed,
            int returning) {
        countInsertion();
        return new MethodVisitor(API, next) {
            @Override
            public void visitCode() {
                super.visitCode();
                Label notConcerned = new Label();
                loadChannel();
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "concerns", "(Ljava/lang/Object;)Z", false);
                super.visitJumpInsn(Opcodes.IFEQ, notConcerned);
                if (owner != null) {
                    loadChannel();
                }
                for (int i = 0; i < passed.length; i += 2) {
                    super.visitVarInsn(passed[i], passed[i + 1]);
                }
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, hookMethod, descriptor, false);
                super.visitInsn(returning);
                super.visitLabel(notConcerned);
                super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                // The body may begin with a frame of its own, and there may be only one at a place.
                super.visitInsn(Opcodes.NOP);
            }

            private void loadChannel() {
                super.visitVarInsn(Opcodes.ALOAD, variable);
                if (owner != null) {
                    super.visitFieldInsn(Opcodes.GETFIELD, owner, InsideJdk.CHANNEL_OUTPUT.member(0), type);
                }
            }
        };
    }
}
