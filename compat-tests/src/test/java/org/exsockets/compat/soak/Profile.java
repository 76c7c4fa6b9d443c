package org.exsockets.compat.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.PeerMain;

/** What processes of the soak differ in. */
enum Profile {
    ORDINARY(true, false, "-Dexs.direct.buffers=64k"),
    DIRECT(true, true, "-Dexs.direct.buffers=64k|-Dexs.direct=always"),
    PLAIN(false, false, ""),
    SLEEPING(true, true, "-Dexs.spin=0|-Dexs.buffer=64k");

    /** The limit of each process: what the soak uses at most, and some. */
    static final int DESCRIPTORS = 1500;

    private final boolean agent;
    private final boolean falseClock;
    private final String settings;

    Profile(boolean agent, boolean falseClock, String settings) {
        this.agent = agent;
        this.falseClock = falseClock;
        this.settings = settings;
    }

    /** The one of a node. */
    static Profile of(int node) {
        return values()[node % values().length];
    }

    boolean agent() {
        return agent;
    }

    boolean falseClock() {
        return falseClock;
    }

    List<String> arguments(Path directory, int node) {
        List<String> arguments = new ArrayList<>(List.of("-D" + PeerMain.DEFAULT_GROUP + "=true"));
        add(arguments, System.getProperty("compat.soak.arguments", ""));
        if (agent) {
            add(arguments, System.getProperty("compat.soak.agent", ""));
            add(arguments, settings);
        }
        return arguments;
    }

    private static void add(List<String> arguments, String separated) {
        for (String argument : separated.split("\\|")) {
            if (!argument.isBlank()) {
                arguments.add(argument.trim());
            }
        }
    }
}
