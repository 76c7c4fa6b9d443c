package org.exsockets.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the command line prints, what the documentation lists and what is read are the same switches. */
class SwitchesTest {
    private static final Pattern NAME = Pattern.compile("(?m)^([a-z.]+) {2,}\\S");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\|[^|]+\\|[^|]+\\|[^|]+\\|$");

    private static List<String> names(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    @Test
    void theyAreThoseThatAreRead() {
        List<String> read = Arrays.stream(Setting.values())
                .map(setting -> setting.nameIn(Setting.Source.OPTION))
                .sorted()
                .toList();
        assertEquals(read, names(NAME, Switches.table()).stream().sorted().toList());
    }

    @Test
    void theyAreThoseOfTheDocumentation() throws IOException {
        String page = Files.readString(Path.of("../docs/usage.md"));
        String switches = page.substring(page.indexOf("## Switches"), page.indexOf("### Faces"));
        assertEquals(names(ROW, switches), names(NAME, Switches.table()));
    }

    @Test
    void aTerminalIsWideEnough() {
        assertTrue(Switches.table().lines().allMatch(line -> line.length() <= 110));
    }
}
