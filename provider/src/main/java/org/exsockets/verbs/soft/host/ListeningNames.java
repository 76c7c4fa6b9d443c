package org.exsockets.verbs.soft.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.exsockets.jdk.SmallFiles;

/** The abstract names at which sockets listen in the network namespace, as proc_net(5) has them. Stateless. */
public final class ListeningNames {
    /** Of an abstract name, in the place of its zero byte; it ends a line. */
    private static final String BEGIN = " @";

    private static final Path SOCKETS = Path.of("/proc/net/unix");

    /** Flags of a socket that listens (__SO_ACCEPTCON). Those that it has accepted have its name, too. */
    private static final String LISTENS = " 00010000 ";

    private ListeningNames() {}

    /**
     * {@return the names that begin so, in their order} Takes long where there are many sockets.
     *
     * @throws IOException if they cannot be found out
     */
    public static Set<String> beginningWith(String prefix) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String line : SmallFiles.read(SOCKETS).split("\n")) {
            int at = line.lastIndexOf(BEGIN + prefix);
            if (at > 0 && line.contains(LISTENS)) {
                names.add(line.substring(at + BEGIN.length()));
            }
        }
        return names;
    }
}
