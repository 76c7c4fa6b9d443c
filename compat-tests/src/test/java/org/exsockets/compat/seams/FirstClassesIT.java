package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.PatientListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that are loaded before the first client comes. */
final class FirstClassesIT extends SeamTest {
    private static final String LIST = "first-classes-of-";
    private static final String THREAD = "exs-preparation";
    private static final String LOADING = "org.exsockets.install.Preparation$Loading";
    private static final String COMING = PatientListener.Coming.class.getName();

    /** A few depend on who waits for whom. */
    private static final double FEW = 0.1;

    private static final Pattern INITIALIZED = Pattern.compile("Initializing '(org/exsockets/[^']+)'");

    /** Written anew to {@code target}, from where it is to be copied to the provider's resources if this fails. */
    @ParameterizedTest
    @ValueSource(strings = {"sockets", "channels"})
    void listIsOfWhatTheFirstClientNeeds(String kind) throws Exception {
        Set<String> used = new LinkedHashSet<>();
        for (String line : logOfAnExchange(kind, "init")) {
            Matcher initialized = INITIALIZED.matcher(line);
            if (initialized.find()) {
                used.add(initialized.group(1).replace('/', '.'));
            }
        }
        List<String> news = new ArrayList<>(used);
        news.subList(0, news.indexOf(COMING) + 1).clear();
        Path made = Files.write(Files.createDirectories(Path.of("target")).resolve(LIST + kind), news);
        List<String> listed = listed(kind);
        assertFew(without(news, listed), listed, "used, but not in the list; a new one: " + made);
        assertFew(without(listed, news), listed, "in the list, but not used; a new one: " + made);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sockets", "channels"})
    void listenerLoadsThemBeforeItsFirstClientComes(String kind) throws Exception {
        Set<String> loaded = new HashSet<>();
        for (String line : logOfAnExchange(kind, "load")) {
            loaded.addAll(List.of(line.split(" ")));
            if (loaded.contains(COMING)) {
                break;
            }
        }
        assertEquals(List.of(), without(listed(kind), loaded));
    }

    @Test
    void nothingIsLoadedAheadWhereEverythingIsTcp() throws Exception {
        Path log = directory.resolve("log");
        listener("sockets", "-Xlog:class+load:file=" + log, "-Dexs.device=none");
        assertEquals(
                List.of(),
                Files.readAllLines(log).stream()
                        .filter(line -> line.contains(LOADING))
                        .toList());
    }

    private List<String> logOfAnExchange(String kind, String what) throws Exception {
        Path log = directory.resolve("log");
        assertEquals(List.of("exchanged 1"), listener(kind, "-Xlog:class+" + what + ":file=" + log));
        return Files.readAllLines(log);
    }

    private List<String> listener(String kind, String... options) throws Exception {
        return start("program", Transport.SOFT, List.of(options), PatientListener.class, kind, THREAD)
                .awaitEnd();
    }

    private static void assertFew(List<String> names, List<String> listed, String what) {
        assertTrue(names.size() <= FEW * listed.size(), () -> what + ": " + names);
    }

    private static List<String> without(List<String> all, Collection<String> others) {
        return all.stream().filter(name -> !others.contains(name)).toList();
    }

    private static List<String> listed(String kind) throws Exception {
        try (JarFile jar = new JarFile(agentJar());
                InputStream list = jar.getInputStream(jar.getEntry("exs/org/exsockets/install/" + LIST + kind))) {
            return new String(list.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }
}
