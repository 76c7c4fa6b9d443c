package org.exsockets.agent.tooling;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.util.HashSet;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.exsockets.jdk.InsideJdk;
import org.exsockets.jdk.JdkDiffersException;

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

    /** Where a class file has the lower byte of its major version. */
    private static final int MAJOR_VERSION = 7;

    /** ASM refuses files of JDKs that came after it, but what is newer in them is seldom of its concern. */
    private static final byte KNOWN_VERSION = Opcodes.V17;

    private final String part;
    private int inserted;

    /** The members of the class that have not been seen. */
    private final Set<String> absent = new HashSet<>();

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
     * @throws JdkDiffersException if there are fewer or more, or there is no such class
     */
    final ClassDefinition woven(InsideJdk name, int expected) throws IOException {
        absent.clear();
        for (int i = 0; i < name.members().size(); i++) {
            absent.add(name.member(i));
        }
        return woven(name.find(), name.internalName(), expected);
    }

    /** As the other one, of a class of the JDK's API. */
    final ClassDefinition woven(Class<?> type, int expected) throws IOException {
        absent.clear();
        return woven(type, type.getName().replace('.', '/'), expected);
    }

    private ClassDefinition woven(Class<?> type, String className, int expected) throws IOException {
        if (type == null) {
            throw new JdkDiffersException(part + ": no class " + className);
        }
        return new ClassDefinition(type, woven(read(className), className, expected));
    }

    /** {@return the class file with the calls inserted} */
    final byte[] woven(byte[] file, String className, int expected) {
        byte version = file[MAJOR_VERSION];
        file[MAJOR_VERSION] = KNOWN_VERSION;
        ClassReader reader = new ClassReader(file);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        inserted = 0;
        reader.accept(new Methods(className, writer), 0);
        if (inserted != expected || !absent.isEmpty()) {
            throw new JdkDiffersException(part + ": class=" + className + ", places to weave=" + inserted
                    + ", expected=" + expected + ", without " + absent);
        }
        byte[] woven = writer.toByteArray();
        woven[MAJOR_VERSION] = version;
        return woven;
    }

    private static byte[] read(String className) throws IOException {
        try (InputStream in = Object.class.getModule().getResourceAsStream(className + ".class")) {
            if (in == null) {
                throw new JdkDiffersException("no file of class " + className);
            }
            return in.readAllBytes();
        }
    }

    private final class Methods extends ClassVisitor {
        private final String className;

        Methods(String className, ClassVisitor next) {
            super(API, next);
            this.className = className;
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            absent.remove(name);
            return super.visitField(access, name, descriptor, signature, value);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            absent.remove(name);
            return wovenMethod(
                    className, name + descriptor, super.visitMethod(access, name, descriptor, signature, exceptions));
        }
    }
}
