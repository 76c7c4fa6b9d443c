package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which contracts run in which way is decided where they are written: none is left out of a way because nobody thought of it. */
class ContractTagsTest {
    private static final String PACKAGE = "org.exsockets.compat.contract";
    private static final Set<String> WAYS = Set.of("placed", "fallback", "noagent", "esapi");
    private static final String NONE_OF_THEM = "usual";
    private static final Set<String> OTHERS = Set.of("long", "processes");

    @Test
    void eachContractSaysInWhichFurtherWaysItRuns() throws Exception {
        TreeMap<String, String> undecided = new TreeMap<>();
        List<Class<?>> contracts = contracts();
        assertTrue(contracts.size() > 50, () -> "only " + contracts);
        for (Class<?> contract : contracts) {
            Set<String> tags = tags(contract);
            tags.removeAll(OTHERS);
            boolean usual = tags.remove(NONE_OF_THEM);
            if (!WAYS.containsAll(tags) || usual != tags.isEmpty()) {
                undecided.put(contract.getSimpleName(), tags(contract).toString());
            }
        }
        assertEquals("{}", undecided.toString(), "tags are " + WAYS + ", or " + NONE_OF_THEM + "; and " + OTHERS);
    }

    private static Set<String> tags(Class<?> contract) {
        Set<String> tags = new TreeSet<>();
        Arrays.stream(contract.getAnnotationsByType(Tag.class)).map(Tag::value).forEach(tags::add);
        return tags;
    }

    private static List<Class<?>> contracts() throws Exception {
        try (Stream<Path> files = Files.list(PeerJvm.classes().resolve(PACKAGE.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Contract.class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .<Class<?>>map(ContractTagsTest::load)
                    .filter(type -> !Modifier.isAbstract(type.getModifiers()))
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(PACKAGE + "." + name, false, ContractTagsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
