package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.exsockets.bench.e2e.endpoint.Face;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;

/** The rows that a command line asks for, in the order in which they run: all of a pair of JVMs together. */
final class Plan {
    private static final int MESSAGE_BYTES = 64;
    private static final int FILE_BYTES = 256 << 20;
    private static final int IDLE_LENGTHENING = 4;

    private final Choice choice;
    private final List<Row> rows = new ArrayList<>();

    private Plan(Choice choice) {
        this.choice = choice;
    }

    static List<Row> rows(Choice choice) {
        Plan plan = new Plan(choice);
        plan.addTwoCoreRows();
        plan.addOneCoreRows();
        Pattern wanted = Pattern.compile(choice.rowPattern());
        return plan.rows.stream()
                .filter(row -> wanted.matcher(row.name()).find())
                .toList();
    }

    private void addTwoCoreRows() {
        if (choice.has(Group.LATENCY)) {
            addRoundTrips("round trip", false);
        }
        if (choice.has(Group.STREAM)) {
            addStreams();
        }
        if (choice.has(Group.FILES)) {
            addFiles("transferTo", Kind.FILE_SEND);
            addFiles("transferFrom", Kind.FILE_RECEIVE);
        }
        if (choice.has(Group.ECHO)) {
            addEchoes("selector echo", false);
        }
        if (choice.has(Group.CONNECT)) {
            for (Face face : List.of(Face.CHANNEL, Face.SOCKET)) {
                if (choice.faces().contains(face)) {
                    add("connect " + face.label(), Measure.RATE, faced(Kind.CONNECT, face, 1));
                }
            }
        }
        if (choice.has(Group.IDLE)) {
            Fields spec = Row.spec(Kind.IDLE, MESSAGE_BYTES).with("connections", choice.idleConnections());
            String name = "idle " + choice.idleConnections() + " connections";
            rows.add(new Row(name, Measure.IDLE, spec, false, Math.max(1, choice.seconds() * IDLE_LENGTHENING)));
        }
        if (choice.has(Group.ALLOC)) {
            for (Face face : choice.faces()) {
                Fields spec = faced(Kind.ROUND_TRIP, face, MESSAGE_BYTES).with("metered", true);
                add("allocation " + face.label(), Measure.ALLOCATION, spec);
            }
        }
    }

    private void addStreams() {
        for (Face face : choice.faces()) {
            for (int chunkBytes : choice.chunksBytes()) {
                Fields spec = faced(Kind.STREAM, face, chunkBytes);
                if (choice.nagle()) {
                    spec.with("nagle", true);
                }
                add("stream " + face.label() + " " + size(chunkBytes), Measure.THROUGHPUT, spec);
            }
        }
    }

    private void addFiles(String name, Kind kind) {
        add("files " + name + " " + size(FILE_BYTES), Measure.THROUGHPUT, Row.spec(kind, FILE_BYTES));
    }

    private void addOneCoreRows() {
        if (choice.has(Group.ONECORE)) {
            addRoundTrips("one core: round trip", true);
            addEchoes("one core: selector echo", true);
        }
    }

    private void addRoundTrips(String title, boolean oneCore) {
        for (int sizeBytes : choice.sizesBytes()) {
            for (Face face : choice.faces()) {
                String name = title + " " + face.label() + " " + size(sizeBytes);
                Fields spec = faced(Kind.ROUND_TRIP, face, sizeBytes);
                rows.add(new Row(name, Measure.LATENCY, spec, oneCore, choice.seconds()));
            }
        }
    }

    private void addEchoes(String title, boolean oneCore) {
        for (int connections : choice.connections()) {
            Fields spec = Row.spec(Kind.ECHO, MESSAGE_BYTES).with("connections", connections);
            rows.add(new Row(title + " " + connections, Measure.RATE, spec, oneCore, choice.seconds()));
        }
    }

    private void add(String name, Measure measure, Fields spec) {
        rows.add(new Row(name, measure, spec, false, choice.seconds()));
    }

    private static Fields faced(Kind kind, Face face, int sizeBytes) {
        return Row.spec(kind, sizeBytes).with("face", face);
    }

    private static String size(int sizeBytes) {
        if (sizeBytes >= 1 << 20 && sizeBytes % (1 << 20) == 0) {
            return (sizeBytes >> 20) + " MB";
        }
        return sizeBytes >= 1 << 10 && sizeBytes % (1 << 10) == 0 ? (sizeBytes >> 10) + " KB" : sizeBytes + " B";
    }

    /** What {@code --only} chooses among. */
    enum Group {
        LATENCY,
        STREAM,
        FILES,
        ECHO,
        CONNECT,
        IDLE,
        ALLOC,
        ONECORE
    }

    /** The choices of a command line. */
    record Choice(
            Set<Group> groups,
            List<Face> faces,
            List<Integer> sizesBytes,
            List<Integer> chunksBytes,
            boolean nagle,
            List<Integer> connections,
            int idleConnections,
            double seconds,
            String rowPattern) {
        boolean has(Group group) {
            return groups.contains(group);
        }
    }
}
