package org.exsockets.agent.tooling;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Makes direct buffers get their memory from a hook and give it back there, and mapped files call the hook before they
 * are unmapped. Everything else stays the JDK's: limit, counts, zeroes, and when a buffer is freed.
 */
final class DirectMemoryWeaver extends PlatformWeaver {
    private static final String HOOK = "java/nio/ExsDirectMemoryHook";
    private static final String UNSAFE = "jdk/internal/misc/Unsafe";
    private static final String BUFFER = "java/nio/DirectByteBuffer";
    private static final String DEALLOCATOR = "java/nio/DirectByteBuffer$Deallocator";
    private static final String UNMAPPER = "sun/nio/ch/FileChannelImpl$Unmapper";

    /** The variable in which the constructor of a direct buffer keeps how many bytes it has asked for. */
    private static final int SIZE_VARIABLE = 4;

    private DirectMemoryWeaver() {
        super("direct buffers");
    }

    /** Weaves all or nothing; fails as {@link PlatformWeaver#woven}, or if the JVM refuses the change. */
    static void weave(Instrumentation instrumentation)
            throws ReflectiveOperationException, IOException, UnmodifiableClassException {
        DirectMemoryWeaver weaver = new DirectMemoryWeaver();
        instrumentation.redefineClasses(
                weaver.woven(BUFFER, 2), weaver.woven(DEALLOCATOR, 1), weaver.woven(UNMAPPER, 1));
    }

    @Override
    MethodVisitor wovenMethod(String className, String method, MethodVisitor next) {
        if (className.equals(BUFFER) && method.equals("<init>(I)V")) {
            return allocatorCalls(next, true);
        }
        if (className.equals(DEALLOCATOR) && method.equals("run()V")) {
            return allocatorCalls(next, false);
        }
        if (className.equals(UNMAPPER) && method.equals("unmap()V")) {
            return unmapperEntry(next);
        }
        return next;
    }

    /** Replaces calls of the allocator; the hook's static methods take it as their first argument. */
    private MethodVisitor allocatorCalls(MethodVisitor next, boolean inConstructor) {
        return new MethodVisitor(API, next) {
            private void loadSize() {
                if (inConstructor) {
                    visitVarInsn(Opcodes.LLOAD, SIZE_VARIABLE);
                } else {
                    visitVarInsn(Opcodes.ALOAD, 0);
                    visitFieldInsn(Opcodes.GETFIELD, DEALLOCATOR, "size", "J");
                }
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (owner.equals(UNSAFE) && name.equals("allocateMemory") && descriptor.equals("(J)J")) {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "allocate", "(L" + UNSAFE + ";J)J", false);
                    countInsertion();
                } else if (owner.equals(UNSAFE) && name.equals("freeMemory") && descriptor.equals("(J)V")) {
                    loadSize();
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "free", "(L" + UNSAFE + ";JJ)V", false);
                    countInsertion();
                } else {
                    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                }
            }
        };
    }

    private MethodVisitor unmapperEntry(MethodVisitor next) {
        return new MethodVisitor(API, next) {
            @Override
            public void visitCode() {
                super.visitCode();
                visitVarInsn(Opcodes.ALOAD, 0);
                visitFieldInsn(Opcodes.GETFIELD, UNMAPPER, "address", "J");
                visitVarInsn(Opcodes.ALOAD, 0);
                visitFieldInsn(Opcodes.GETFIELD, UNMAPPER, "size", "J");
                visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "unmapping", "(JJ)V", false);
                countInsertion();
            }
        };
    }
}
