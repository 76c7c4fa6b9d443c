package org.exsockets.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** The jars that the tests run with: the packaged agent, and variants of it made on the spot. */
final class TestJars {
    /** The isolated classes, but for those of adapters. */
    static final String PACK = "exs/classes";

    private static final Path DOUBLES = Path.of("src/test/doubles");

    private TestJars() {}

    /** The agent as it was packaged. */
    static Path agent() {
        return Path.of(System.getProperty("exs.test.jar", "target/exs-agent.jar"));
    }

    /** Where the test programs' classes are. */
    static Path programs() {
        try {
            return Path.of(TestJars.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The agent with the provider's place taken by the doubles, which print what they are asked. */
    static Path agentWithDoubles(Path directory) throws IOException {
        Path classes = Files.createDirectory(directory.resolve("doubles"));
        try (Stream<Path> files = Files.walk(DOUBLES)) {
            compile(
                    classes,
                    files.filter(file -> file.toString().endsWith(".java")).toList());
        }
        Path jar = Files.copy(agent(), directory.resolve("agent-with-doubles.jar"));
        try (FileSystem zip = FileSystems.newFileSystem(jar);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString();
                unpacked(zip.getPath(PACK), name.replace(".class", "").replace('/', '.'));
                Path entry = zip.getPath("exs/" + name + "data");
                Files.createDirectories(entry.getParent());
                Files.copy(file, entry, StandardCopyOption.REPLACE_EXISTING);
            }
            Path services = Files.createDirectories(zip.getPath("exs/META-INF/services"));
            Files.writeString(services.resolve("java.lang.Runnable"), "org.exsockets.install.ServiceDouble\n");
        }
        return jar;
    }

    /** A copy of the agent's jar that lacks {@code entry}. */
    static Path agentWithout(Path directory, String entry) throws IOException {
        Path jar = Files.copy(agent(), directory.resolve("damaged-agent.jar"));
        try (FileSystem zip = FileSystems.newFileSystem(jar)) {
            Files.delete(zip.getPath(entry));
        }
        return jar;
    }

    /** A copy of the agent's jar that lacks an isolated class. */
    static Path agentWithoutClass(Path directory, String name) throws IOException {
        Path jar = Files.copy(agent(), directory.resolve("damaged-agent.jar"));
        try (FileSystem zip = FileSystems.newFileSystem(jar)) {
            if (!unpacked(zip.getPath(PACK), name)) {
                throw new IOException(name + ": not in " + PACK);
            }
        }
        return jar;
    }

    /** A copy of the agent's jar whose protocols are a version older than they are. */
    static Path olderAgent(Path directory) throws IOException {
        String name = "org.exsockets.rendezvous.Protocol";
        Path jar = agentWithoutClass(directory, name);
        try (FileSystem zip = FileSystems.newFileSystem(jar);
                InputStream in =
                        TestJars.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
            ClassReader reader = new ClassReader(in);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            OlderVersion older = new OlderVersion(writer);
            reader.accept(older, 0);
            if (!older.found) {
                throw new IOException(name + ": has no method version");
            }
            Path entry = zip.getPath("exs/" + name.replace('.', '/') + ".classdata");
            Files.createDirectories(entry.getParent());
            Files.write(entry, writer.toByteArray());
        }
        return jar;
    }

    /** Has the method {@code version} return one less. */
    private static final class OlderVersion extends ClassVisitor {
        private boolean found;

        OlderVersion(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!name.equals("version")) {
                return method;
            }
            found = true;
            return new MethodVisitor(Opcodes.ASM9, method) {
                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.IRETURN) {
                        super.visitInsn(Opcodes.ICONST_1);
                        super.visitInsn(Opcodes.ISUB);
                    }
                    super.visitInsn(opcode);
                }
            };
        }
    }

    /** Puts another name in the place of a class's. {@return whether the class was there} */
    private static boolean unpacked(Path pack, String name) throws IOException {
        // A letter for each byte. With its length a name stands in front of the class only.
        String content = Files.readString(pack, StandardCharsets.ISO_8859_1);
        ByteBuffer place = ByteBuffer.allocate(Integer.BYTES + name.length())
                .putInt(name.length())
                .put(name.getBytes(StandardCharsets.ISO_8859_1));
        int at = content.indexOf(new String(place.array(), StandardCharsets.ISO_8859_1));
        if (at >= 0) {
            byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
            bytes[at + Integer.BYTES] = '-';
            Files.write(pack, bytes);
        }
        return at >= 0;
    }

    /** A jar whose premain class is {@code premain}, of the test programs. */
    static Path foreignAgent(Path directory, Class<?> premain) throws IOException {
        Path jar = directory.resolve("foreign-agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", premain.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    /** A directory with a class of this name whose {@code toString} is {@code text}. */
    static Path libraryWith(Path directory, String className, String text) throws IOException {
        int dot = className.lastIndexOf('.');
        Path source = directory.resolve(className.substring(dot + 1) + ".java");
        Files.writeString(
                source,
                "package " + className.substring(0, dot) + "; public class " + className.substring(dot + 1)
                        + " { public String toString() { return \"" + text + "\"; } }");
        compile(directory, List.of(source));
        return directory;
    }

    private static void compile(Path classes, List<Path> sources) {
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-d", classes.toString()));
        sources.stream().map(Path::toString).forEach(arguments::add);
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (status != 0) {
            throw new UncheckedIOException(
                    new IOException("javac failed: " + String.join(File.pathSeparator, arguments)));
        }
    }
}
