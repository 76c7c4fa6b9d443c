import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Writes the class files of a directory into one file, as {@code ClassPack} reads them: arguments DIRECTORY FILE. */
final class PackClasses {
    private static final int INDEX_ENTRY_BYTES = 2 * Integer.BYTES;

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        Map<Integer, Path> byHash = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            Path other = byHash.put(name(directory, file).hashCode(), file);
            if (other != null) {
                throw new IOException("names with the same hash, rename one: " + other + ", " + file);
            }
        }
        ByteArrayOutputStream index = new ByteArrayOutputStream();
        ByteArrayOutputStream classes = new ByteArrayOutputStream();
        DataOutputStream toIndex = new DataOutputStream(index);
        DataOutputStream toClasses = new DataOutputStream(classes);
        toIndex.writeInt(byHash.size());
        for (Map.Entry<Integer, Path> entry : byHash.entrySet()) {
            toIndex.writeInt(entry.getKey());
            toIndex.writeInt(Integer.BYTES + byHash.size() * INDEX_ENTRY_BYTES + classes.size());
            byte[] name = name(directory, entry.getValue()).getBytes(StandardCharsets.US_ASCII);
            byte[] content = Files.readAllBytes(entry.getValue());
            toClasses.writeInt(name.length);
            toClasses.write(name);
            toClasses.write(content);
        }
        index.writeBytes(classes.toByteArray());
        Files.write(Path.of(args[1]), index.toByteArray());
    }

    private static String name(Path directory, Path file) {
        String path = directory.relativize(file).toString();
        return path.substring(0, path.length() - ".class".length()).replace('/', '.');
    }
}
