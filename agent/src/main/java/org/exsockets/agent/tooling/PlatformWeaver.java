package org.exsockets.agent.tooling;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Makes new definitions of classes of java.base: reads the class file, lets the subclass insert its calls, and checks
 * that all places for them were found.
 *
 * <p>The classes are redefined, not retransformed. The changes of a removed transformer are lost as soon as another
 * agent retransforms the class. A transformer that stays makes the JVM load every class of the program the slow way.
 * Transformers of other agents still apply on top. One thread.
 */
abstract class PlatformWeaver {
    static final int API = Opcodes.ASM9;

    private final String part;
    private int inserted;

    /** @param part the part of the JDK, for the message if it is built differently */
    PlatformWeaver(String part) {
        this.part = part;
    }

    /**
     * Calls {@link #countInsertion} for each call that it inserts.
     *
     * @param className as class files name it
     * @param method its name and descriptor
     * @param next where to write the method
     * @return what visits the method; {@code next} to leave it as it is
     */
    abstract MethodVisitor wovenMethod(String className, String method, MethodVisitor next);

    final void countInsertion() {
        inserted++;
    }

    /**
     * {@return the class with the calls inserted}
     *
     * @param expected how many insertions there are to be
     * @throws IllegalStateException if there are fewer or more
     */
    final ClassDefinition woven(String className, int expected) throws ReflectiveOperationException, IOException {
        ClassReader reader = read(className);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        inserted = 0;
        reader.accept(new Methods(className, writer), 0);
        if (inserted != expected) {
            throw new IllegalStateException("this JDK's " + part + " are built differently: class=" + className
                    + ", places to weave=" + inserted + ", expected=" + expected);
        }
        return new ClassDefinition(Class.forName(className.replace('/', '.'), false, null), writer.toByteArray());
    }

    private static ClassReader read(String className) throws ClassNotFoundException, IOException {
        try (InputStream in = Object.class.getModule().getResourceAsStream(className + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(className);
            }
            return new ClassReader(in.readAllBytes());
        }
    }

    private final class Methods extends ClassVisitor {
        private final String className;

        Methods(String className, ClassVisitor next) {
            super(API, next);
            this.className = className;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return wovenMethod(
                    className, name + descriptor, super.visitMethod(access, name, descriptor, signature, exceptions));
        }
    }
}
