package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.Remapper;
import org.exsockets.jdk.InsideJdk;
import org.junit.jupiter.api.Test;

/** No class but {@link InsideJdk} relies on a name inside the JDK that it does not list. */
class InsideJdkTest {
    private static final List<Path> CLASSES =
            List.of(Path.of("../provider/target/classes"), Path.of("target/classes"), Path.of("target/hooks"));

    /** What they are asked for are packages. */
    private static final Set<String> NAMING_PACKAGES = Set.of(
            "org/exsockets/agent/bootstrap/JavaBase",
            "org/exsockets/agent/isolation/IsolatedClassLoader",
            "org/exsockets/verbs/disni/NativeLibrary");

    private final Set<String> unlisted = new TreeSet<>();

    @Test
    void everyNameIsListed() throws IOException {
        int files = 0;
        for (Path root : CLASSES) {
            try (Stream<Path> all = Files.walk(root)) {
                for (Path file :
                        all.filter(each -> each.toString().endsWith(".class")).toList()) {
                    look(Files.readAllBytes(file));
                    files++;
                }
            }
        }
        assertTrue(files > 100, "classes are elsewhere");
        assertEquals(Set.of(), unlisted);
    }

    private static boolean isInside(String name) {
        return name.matches("(sun|jdk[./]internal)[./].*");
    }

    private void look(byte[] file) {
        ClassReader reader = new ClassReader(file);
        String user = reader.getClassName();
        if (user.equals("org/exsockets/jdk/InsideJdk")) {
            return;
        }
        Remapper types = new Remapper(Opcodes.ASM9) {
            @Override
            public String map(String name) {
                boolean listed = Stream.of(InsideJdk.values())
                        .anyMatch(each -> each.internalName().equals(name));
                if (isInside(name) && !listed) {
                    unlisted.add(user + ": " + name);
                }
                return name;
            }
        };
        reader.accept(new ClassRemapper(Opcodes.ASM9, new Uses(user), types) {}, 0);
    }

    private final class Uses extends ClassVisitor {
        private final String user;

        Uses(String user) {
            super(Opcodes.ASM9);
            this.user = user;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String method, String type, boolean ofInterface) {
                    boolean listed = Stream.of(InsideJdk.values())
                            .anyMatch(each -> each.internalName().equals(owner)
                                    && each.members().contains(method + type));
                    if (isInside(owner) && !listed) {
                        unlisted.add(user + ": " + owner + "." + method + type);
                    }
                }

                @Override
                public void visitLdcInsn(Object value) {
                    if (value instanceof String text && isInside(text) && !NAMING_PACKAGES.contains(user)) {
                        unlisted.add(user + ": \"" + text + "\"");
                    }
                }
            };
        }
    }
}
