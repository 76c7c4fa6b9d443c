package org.exsockets.compat.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Judges what all processes have noted. A connection may fail only where a {@link Fault} explains it, and as TCP's would: its
 * peer was killed, or one of its processes had no descriptors when it was to be made. What was acknowledged was received.
 * Neither a stop nor a clock explains anything. Used by one thread.
 */
final class Verdict {
    private static final Pattern END = Pattern.compile("java\\.(net\\.SocketException|io\\.IOException): "
            + "(Connection reset|Connection reset by peer|Broken pipe)|java\\.io\\.EOFException: the end, too early");
    private static final Pattern REFUSED = Pattern.compile("java\\.net\\.ConnectException: Connection refused");
    private static final Pattern EXHAUSTED =
            Pattern.compile("java\\.(net\\.SocketException|io\\.IOException): Too many open files");

    /** What was accepted may have waited for so long. */
    private static final long BACKLOG_NS = 60_000_000_000L;

    private static final int MOST_TOLD = 20;

    /** A line of a ledger. */
    private record Note(
            int process,
            Ledger.Event event,
            long id,
            long startNs,
            long endNs,
            long received,
            String where,
            String text) {
        static Note of(int process, String line) {
            String[] words = line.split("\t", 7);
            return new Note(
                    process,
                    Ledger.Event.valueOf(words[0]),
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    words[5],
                    words[6]);
        }

        boolean ofClient() {
            return id != Talk.UNKNOWN && Ids.process(id) == process && where.indexOf(' ') > 0;
        }

        int target() {
            return Integer.parseInt(where.substring(0, where.indexOf(' ')));
        }

        /** What a program sees. */
        String shown() {
            int end = text.indexOf(Ledger.FRAME);
            return end < 0 ? text : text.substring(0, end);
        }
    }

    private final Lives lives;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Set<Long> verified = new HashSet<>();
    private final Set<Long> done = new HashSet<>();
    private final Map<Long, Note> failedClients = new HashMap<>();
    private final Map<Long, Note> failedServers = new HashMap<>();
    private final List<Note> failed = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private long bytes;

    Verdict(Lives lives) {
        this.lives = lives;
    }

    /** Reads what a process has noted; one that was killed may have left half a line at the end. */
    void read(int process, Path ledger) throws IOException {
        String noted = Files.readString(ledger);
        int end = noted.lastIndexOf('\n') + 1;
        if (end < noted.length() && !lives.wasKilled(process)) {
            wrong.add("process " + process + ": half a line at the end of its ledger: " + noted.substring(end));
        }
        noted.substring(0, end).lines().forEach(line -> add(Note.of(process, line)));
    }

    private void add(Note note) {
        switch (note.event) {
            case DONE -> {
                done.add(note.id);
                bytes += note.received;
                count("client: " + note.where.substring(note.where.indexOf(' ') + 1));
            }
            case VERIFIED -> verified.add(note.id);
            case SERVED -> bytes += note.received;
            case FAILED -> {
                failed.add(note);
                bytes += note.received;
                (note.ofClient() ? failedClients : failedServers).put(note.id, note);
            }
            default -> failed.add(note);
        }
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** Judges, when everything is read; returns what is wrong. */
    List<String> judge() {
        for (Note note : failed) {
            String reason = reason(note);
            if (reason != null) {
                count("ended, " + reason + ": " + note.shown());
            } else {
                wrong.add("nothing explains this: process " + note.process + " of node " + lives.node(note.process)
                        + ", " + Ids.text(note.id) + ", " + note);
            }
        }
        Set<Long> lost = new HashSet<>(done);
        lost.removeAll(verified);
        for (long id : lost) {
            wrong.add("acknowledged, but not received: " + Ids.text(id));
        }
        int more = wrong.size() - MOST_TOLD;
        return more <= 0
                ? wrong
                : Stream.concat(wrong.subList(0, MOST_TOLD).stream(), Stream.of("and " + more + " more"))
                        .toList();
    }

    /** {@return what explains a failure, or null} */
    private String reason(Note note) {
        String own = ownReason(note);
        if (own != null
                || note.event != Ledger.Event.FAILED
                || !END.matcher(note.shown()).matches()) {
            return own;
        }
        Note other = (note.ofClient() ? failedServers : failedClients).get(note.id);
        return other != null && other != note && ownReason(other) != null ? "the other end had no descriptors" : null;
    }

    private String ownReason(Note note) {
        String shown = note.shown();
        boolean refused = REFUSED.matcher(shown).matches();
        if (note.event == Ledger.Event.WRONG) {
            return null;
        }
        if (EXHAUSTED.matcher(shown).matches()) {
            return lives.wasExhaustedIn(note.process, note.startNs, note.endNs) ? "no descriptors" : null;
        }
        if (note.event != Ledger.Event.FAILED || !refused && !END.matcher(shown).matches()) {
            return null;
        }
        if (note.ofClient()) {
            return lives.wasDownIn(note.target(), note.startNs, note.endNs) ? "peer killed" : null;
        }
        if (refused) {
            return null;
        }
        boolean killed = note.id == Talk.UNKNOWN
                ? lives.anyFaultIn(note.process, note.startNs - BACKLOG_NS, note.endNs)
                : lives.diedIn(Ids.process(note.id), Long.MIN_VALUE, note.endNs);
        return killed ? "peer killed" : null;
    }

    long bytes() {
        return bytes;
    }

    int connections() {
        return done.size();
    }

    Map<String, Integer> counts() {
        return counts;
    }
}
