package org.exsockets.agent;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;
import org.exsockets.jdk.InsideJdk;

/**
 * A JDK as it may be some day: something in java.base has another name, wherever the JDK uses it. A class under the old name
 * cannot be loaded; a native method, which the JVM looks for by its name, is only out of reach.
 */
final class LaterJdk extends Remapper {
    private static final String OTHER = "OfALaterJdk";

    private static final String BASE = "java.base";

    /** What there is to be changed; the second one has {@code sun.misc.Unsafe}. */
    private static final List<String> MODULES = List.of(BASE, "jdk.unsupported");

    /** The class files of each JDK, by module and name. */
    private static final Map<Path, Map<String, String>> FILES = new HashMap<>();

    /** As text, in which words are found soonest. */
    private final Map<String, String> files;

    private final String type;
    private final boolean isInterface;

    /** What is renamed: a member's name, with parameters and result where they matter; null: the class itself. */
    private final String member;

    private boolean found;

    /** @param member of {@link InsideJdk#members}, or null for the class */
    LaterJdk(Path jdk, InsideJdk name, String member) {
        super(Opcodes.ASM9);
        files = FILES.computeIfAbsent(jdk, LaterJdk::read);
        type = name.internalName();
        String file = files.get(BASE + "/" + type);
        isInterface = file != null && (reader(file).getAccess() & Opcodes.ACC_INTERFACE) != 0;
        this.member = member;
    }

    private static Map<String, String> read(Path jdk) {
        Map<String, String> all = new HashMap<>();
        try (FileSystem runtime = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", jdk.toString()))) {
            for (String module : MODULES) {
                try (Stream<Path> paths = Files.walk(runtime.getPath("modules", module))) {
                    for (Path each : paths.filter(LaterJdk::isClass).toList()) {
                        String name = each.subpath(1, each.getNameCount()).toString();
                        all.put(
                                name.substring(0, name.length() - ".class".length()),
                                new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1));
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return all;
    }

    private static boolean isClass(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".class") && !name.equals("module-info.class");
    }

    /** {@return the options of Java by which it has the other name; none: this JDK has no such thing anyway} */
    List<String> options(Path directory) throws IOException {
        String word = member == null ? type : bare(member);
        for (Map.Entry<String, String> each : files.entrySet()) {
            if (each.getValue().contains(word)) {
                ClassWriter writer = new ClassWriter(0);
                reader(each.getValue()).accept(new ClassRemapper(Opcodes.ASM9, new NativesStay(writer), this) {}, 0);
                int module = each.getKey().indexOf('/') + 1;
                String name = map(each.getKey().substring(module));
                write(directory, each.getKey().substring(0, module) + name, writer.toByteArray());
            }
        }
        if (member == null) {
            for (String module : MODULES) {
                if (files.containsKey(module + "/" + type)) {
                    found = true;
                    write(directory, module + "/" + type, new byte[1]);
                }
            }
        }
        return found
                ? MODULES.stream()
                        .filter(module -> Files.exists(directory.resolve(module)))
                        .map(module -> "--patch-module=" + module + "=" + directory.resolve(module))
                        .toList()
                : List.of();
    }

    private static void write(Path directory, String name, byte[] file) throws IOException {
        Path path = directory.resolve(name + ".class");
        Files.createDirectories(path.getParent());
        Files.write(path, file);
    }

    private static ClassReader reader(String file) {
        return new ClassReader(file.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String bare(String member) {
        int parameters = member.indexOf('(');
        return parameters < 0 ? member : member.substring(0, parameters);
    }

    private static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('/'));
    }

    @Override
    public String map(String name) {
        return member == null && name.equals(type) ? name + OTHER : name;
    }

    /** Of buffers, whose subclasses use them, in all of their package. */
    @Override
    public String mapFieldName(String owner, String name, String descriptor) {
        String outermost = type.replaceFirst("\\$.*", "");
        boolean meant = name.equals(member)
                && (owner.replaceFirst("\\$.*", "").equals(outermost)
                        || packageOf(type).equals("java/nio")
                                && packageOf(owner).equals("java/nio"));
        return meant ? renamed(name) : name;
    }

    /** Methods of an interface are renamed wherever they may be implemented. */
    @Override
    public String mapMethodName(String owner, String name, String descriptor) {
        boolean meant = member != null
                && (member.equals(name) || (name + descriptor).startsWith(member))
                && (isInterface ? !owner.startsWith("java/nio/channels/") : owner.equals(type));
        return meant ? renamed(name) : name;
    }

    private String renamed(String name) {
        found = true;
        return name + OTHER;
    }

    /** Leaves a renamed native method under its old name, private, and puts one that calls it in its place. */
    private static final class NativesStay extends ClassVisitor {
        private String type;

        NativesStay(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            type = name;
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            if ((access & Opcodes.ACC_NATIVE) == 0 || !name.endsWith(OTHER)) {
                return super.visitMethod(access, name, descriptor, signature, exceptions);
            }
            String old = name.substring(0, name.length() - OTHER.length());
            MethodVisitor caller =
                    super.visitMethod(access & ~Opcodes.ACC_NATIVE, name, descriptor, signature, exceptions);
            caller.visitCode();
            caller.visitVarInsn(Opcodes.ALOAD, 0);
            int variable = 1;
            for (Type parameter : Type.getArgumentTypes(descriptor)) {
                caller.visitVarInsn(parameter.getOpcode(Opcodes.ILOAD), variable);
                variable += parameter.getSize();
            }
            caller.visitMethodInsn(Opcodes.INVOKESPECIAL, type, old, descriptor, false);
            caller.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
            caller.visitMaxs(variable + 1, variable);
            caller.visitEnd();
            int hidden = access & ~Opcodes.ACC_PUBLIC | Opcodes.ACC_PRIVATE;
            return super.visitMethod(hidden, old, descriptor, signature, exceptions);
        }
    }
}
