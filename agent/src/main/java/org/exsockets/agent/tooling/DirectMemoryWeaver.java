package org.exsockets.agent.tooling;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.exsockets.jdk.InsideJdk;

/**
 * Makes direct buffers get their memory from a hook and give it back there, and mapped files call the hook before they
 * are unmapped. Everything else stays the JDK's: limit, counts, zeroes, and when a buffer is freed.
 */
final class DirectMemoryWeaver extends PlatformWeaver {
    private static final String HOOK = "java/nio/ExsDirectMemoryHook";
    private static final String UNSAFE = InsideJdk.ALLOCATOR.internalName();
    private static final String BUFFER = InsideJdk.DIRECT_BUFFERS.internalName();
    private static final String DEALLOCATOR = InsideJdk.DEALLOCATOR.internalName();
    private static final String UNMAPPER = InsideJdk.UNMAPPER.internalName();

    private DirectMemoryWeaver() {
        super("direct buffers");
    }

    /** Weaves all or nothing; fails as {@link PlatformWeaver#woven}, or if the JVM refuses the change. */
    static void weave(Instrumentation instrumentation)
            throws ClassNotFoundException, IOException, UnmodifiableClassException {
        DirectMemoryWeaver weaver = new DirectMemoryWeaver();
        instrumentation.redefineClasses(
                weaver.woven(InsideJdk.DIRECT_BUFFERS, 2),
                weaver.woven(InsideJdk.DEALLOCATOR, 1),
                weaver.woven(InsideJdk.UNMAPPER, 1));
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
            /** The variable that was loaded last; and that of how many bytes the constructor has asked for. */
            private int loaded;

            private int size;

            @Override
            public void visitVarInsn(int opcode, int variable) {
                loaded = variable;
                super.visitVarInsn(opcode, variable);
            }

            private void loadSize() {
                if (inConstructor) {
                    visitVarInsn(Opcodes.LLOAD, size);
                } else {
                    visitVarInsn(Opcodes.ALOAD, 0);
                    visitFieldInsn(Opcodes.GETFIELD, DEALLOCATOR, InsideJdk.DEALLOCATOR.member(0), "J");
                }
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                boolean ofAllocator = owner.equals(UNSAFE);
                if (ofAllocator && InsideJdk.ALLOCATOR.members().get(0).equals(name + descriptor)) {
                    size = loaded;
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "allocate", "(L" + UNSAFE + ";J)J", false);
                    countInsertion();
                } else if (ofAllocator && InsideJdk.ALLOCATOR.members().get(1).equals(name + descriptor)) {
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
                visitFieldInsn(Opcodes.GETFIELD, UNMAPPER, InsideJdk.UNMAPPER.member(0), "J");
                visitVarInsn(Opcodes.ALOAD, 0);
                visitFieldInsn(Opcodes.GETFIELD, UNMAPPER, InsideJdk.UNMAPPER.member(1), "J");
                visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "unmapping", "(JJ)V", false);
                countInsertion();
            }
        };
    }
}
