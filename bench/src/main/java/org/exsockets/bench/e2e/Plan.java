package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.exsockets.bench.e2e.endpoint.Face;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.HelloWorld;
import org.exsockets.bench.e2e.endpoint.Kind;
import org.exsockets.bench.e2e.endpoint.ShortTalk;
import org.exsockets.bench.e2e.endpoint.SlowReaders;

/**
 * The rows that a command line asks for, in the order in which they run: by condition, then further ones for the idle
 * machine.
 */
final class Plan {
    private static final int MESSAGE_BYTES = 64;

    /** The time between messages one way. */
    private static final int PACE_NS = 20_000;

    private static final int FILE_BYTES = 256 << 20;
    private static final int IDLE_LENGTHENING = 4;

    /** Connections that are used among very many open ones. */
    private static final int ACTIVE = 100;

    /** Threads of a short program, exchanges of each, and its longest message. */
    private static final int CROWD = 8;

    private static final int CROWD_EXCHANGES = 40;
    private static final int CROWD_BYTES = 5700;

    private static final int UPLOAD_BYTES = 6 << 20;

    private final Choice choice;
    private final List<Row> rows = new ArrayList<>();

    private Plan(Choice choice) {
        this.choice = choice;
    }

    static List<Row> rows(Choice choice) {
        Plan plan = new Plan(choice);
        for (Condition condition : Condition.values()) {
            if (choice.conditions().contains(condition)) {
                plan.addRows(condition);
            }
        }
        if (choice.conditions().contains(Condition.IDLE_MACHINE)) {
            plan.addOtherRows();
        }
        Pattern wanted = Pattern.compile(choice.rowPattern());
        return plan.rows.stream()
                .filter(row -> wanted.matcher(row.name()).find())
                .toList();
    }

    private void addRows(Condition condition) {
        if (condition != Condition.ONE_BUSY) {
            addSocketRows(condition);
        }
        if (choice.has(Group.PACED)) {
            rows.addAll(PacedRows.of(condition, choice.paced()));
        }
    }

    private void addSocketRows(Condition condition) {
        if (choice.has(Group.LATENCY)) {
            addRoundTrips(condition);
        }
        if (choice.has(Group.STREAM)) {
            addStreams(condition);
        }
        if (choice.has(Group.ECHO)) {
            addEchoes(condition);
        }
        if (choice.has(Group.CONNECT)) {
            for (Face face : faces(condition, Face.CHANNEL, Face.SOCKET)) {
                Fields spec = faced(Kind.CONNECT, face, 1);
                add(condition, "connect " + face.label(), Measure.RATE, spec, Targets.connect(condition));
            }
        }
        if (choice.has(Group.THREADS)) {
            for (Face face : faces(condition, Face.CHANNEL, Face.SOCKET)) {
                Fields spec = faced(Kind.THREADS, face, MESSAGE_BYTES).with("threads", choice.threads());
                String name = choice.threads() + " threads a side " + face.label();
                add(condition, name, Measure.RATE, spec, Targets.contended());
            }
        }
    }

    private void addOtherRows() {
        addAsynchronousRows();
        if (choice.has(Group.LATENCY)) {
            addOneWay();
        }
        if (choice.has(Group.FILES)) {
            addFiles("transferTo", Kind.FILE_SEND);
            addFiles("transferFrom", Kind.FILE_RECEIVE);
        }
        if (choice.has(Group.ECHO) && choice.openConnections() > ACTIVE) {
            Fields spec = Row.spec(Kind.ECHO, MESSAGE_BYTES)
                    .with("connections", choice.openConnections())
                    .with("active", ACTIVE);
            int held = Descriptors.held(choice.openConnections());
            if (held > 0) {
                spec.with("held", held);
            }
            String name = "selector echo " + ACTIVE + " of " + choice.openConnections();
            List<Demand> demands = Targets.echoAmongIdle("selector echo " + ACTIVE);
            add(Condition.IDLE_MACHINE, name, Measure.RATE, spec, demands);
        }
        if (choice.has(Group.CONNECT)) {
            Fields spec = faced(Kind.CONNECT, Face.CHANNEL, 1).with("count", choice.connects());
            String name = choice.connects() + " connects in a row";
            add(Condition.IDLE_MACHINE, name, Measure.RATE, spec, Targets.growth());
        }
        if (choice.has(Group.IDLE)) {
            Fields spec = Row.spec(Kind.IDLE, MESSAGE_BYTES).with("connections", choice.idleConnections());
            double seconds = Math.max(1, choice.seconds() * IDLE_LENGTHENING);
            String name = "idle " + choice.idleConnections() + " connections";
            rows.add(new Row(name, Measure.IDLE, spec, Condition.IDLE_MACHINE, seconds, Targets.idle()));
        }
        if (choice.has(Group.ALLOC)) {
            for (Face face : choice.faces()) {
                Fields spec = faced(Kind.ROUND_TRIP, face, MESSAGE_BYTES).with("metered", true);
                String name = "allocation " + face.label();
                add(Condition.IDLE_MACHINE, name, Measure.ALLOCATION, spec, Targets.allocation());
            }
        }
        if (choice.has(Group.STARTUP)) {
            addProgram("start-up", HelloWorld.class, Targets.startUp());
            addProgram("start-up and a connection", ShortTalk.class, List.of());
        }
        if (choice.has(Group.FIRST)) {
            addFirst();
        }
    }

    /** Programs that live for their first seconds only. */
    private void addFirst() {
        addFirst("keep", CROWD, CROWD_EXCHANGES, false, CROWD_BYTES);
        addFirst("fresh", CROWD, CROWD_EXCHANGES, true, CROWD_BYTES);
        addFirst("upload " + size(UPLOAD_BYTES), 1, 1, false, UPLOAD_BYTES);
        addFirst("connect", 1, 1, false, 1);
        addFirst("slow readers", FirstRun.PAIR, SlowReaders.class);
        addFirst("a line", FirstRun.ALONE, HelloWorld.class);
    }

    private void addFirst(String name, String role, Class<?> program) {
        Fields spec = new Fields("spec").with("face", Face.SOCKET).with(role, program.getName());
        add(Condition.IDLE_MACHINE, "first: " + name, Measure.FIRST, spec, List.of());
    }

    /** @param fresh whether each exchange has a connection of its own */
    private void addFirst(String name, int threads, int exchanges, boolean fresh, int largestBytes) {
        Fields spec = new Fields("spec")
                .with("face", Face.SOCKET)
                .with("threads", threads)
                .with("exchanges", exchanges)
                .with("connectEach", fresh)
                .with("size", largestBytes);
        add(Condition.IDLE_MACHINE, "first: " + name, Measure.FIRST, spec, List.of());
    }

    private void addProgram(String name, Class<?> program, List<Demand> demands) {
        Fields spec = new Fields("spec").with("face", Face.CHANNEL).with(StartUp.PROGRAM, program.getName());
        add(Condition.IDLE_MACHINE, name, Measure.START_UP, spec, demands);
    }

    private void addRoundTrips(Condition condition) {
        List<Integer> sizesBytes = condition == Condition.IDLE_MACHINE
                ? choice.sizesBytes()
                : choice.sizesBytes().subList(0, 1);
        for (int sizeBytes : sizesBytes) {
            for (Face face : choice.faces()) {
                if (face != Face.HEAP || choice.faces().size() == 1) {
                    String name = "round trip " + face.label() + " " + size(sizeBytes);
                    Fields spec = faced(Kind.ROUND_TRIP, face, sizeBytes);
                    add(condition, name, Measure.LATENCY, spec, Targets.roundTrip(condition, face, sizeBytes));
                }
            }
        }
    }

    private void addOneWay() {
        for (Face face : faces(Condition.IDLE_MACHINE, Face.CHANNEL, Face.SOCKET, Face.SELECTOR)) {
            Fields spec = faced(Kind.ONE_WAY, face, MESSAGE_BYTES).with("paceNs", PACE_NS);
            String name = "one way " + face.label() + " " + size(MESSAGE_BYTES);
            add(Condition.IDLE_MACHINE, name, Measure.LATENCY, spec, Targets.oneWay());
        }
    }

    /** Run by handlers, in a group of one thread; compared with the Selector. */
    private void addAsynchronousRows() {
        if (!choice.faces().contains(Face.SELECTOR)) {
            return;
        }
        if (choice.has(Group.LATENCY)) {
            for (int sizeBytes : choice.sizesBytes()) {
                Fields spec = Row.spec(Kind.ASYNC_ROUND_TRIP, sizeBytes).with("face", "async");
                add(Condition.IDLE_MACHINE, "round trip async " + size(sizeBytes), Measure.LATENCY, spec, List.of());
            }
        }
        if (choice.has(Group.STREAM)) {
            for (int chunkBytes : choice.chunksBytes()) {
                Fields spec = Row.spec(Kind.ASYNC_STREAM, chunkBytes).with("face", "async");
                add(Condition.IDLE_MACHINE, "stream async " + size(chunkBytes), Measure.THROUGHPUT, spec, List.of());
            }
        }
    }

    private void addStreams(Condition condition) {
        for (Face face : faces(condition, Face.values())) {
            for (int chunkBytes : choice.chunksBytes()) {
                Fields spec = faced(Kind.STREAM, face, chunkBytes);
                if (choice.nagle()) {
                    spec.with("nagle", true);
                }
                String name = "stream " + face.label() + " " + size(chunkBytes);
                add(condition, name, Measure.THROUGHPUT, spec, Targets.stream(condition, face, chunkBytes));
            }
        }
    }

    private void addFiles(String name, Kind kind) {
        Fields spec = Row.spec(kind, FILE_BYTES);
        String title = "files " + name + " " + size(FILE_BYTES);
        add(Condition.IDLE_MACHINE, title, Measure.THROUGHPUT, spec, Targets.files());
    }

    private void addEchoes(Condition condition) {
        List<Integer> all = choice.connections();
        for (int connections : condition == Condition.IDLE_MACHINE || all.isEmpty() ? all : all.subList(0, 1)) {
            Fields spec = Row.spec(Kind.ECHO, MESSAGE_BYTES).with("connections", connections);
            add(condition, "selector echo " + connections, Measure.RATE, spec, Targets.echo(condition));
        }
    }

    private void add(Condition condition, String name, Measure measure, Fields spec, List<Demand> demands) {
        rows.add(new Row(condition.prefix + name, measure, spec, condition, choice.seconds(), demands));
    }

    /** {@return the chosen ones of these faces; only the first of them, unless the machine is idle} */
    private List<Face> faces(Condition condition, Face... some) {
        List<Face> chosen =
                List.of(some).stream().filter(choice.faces()::contains).toList();
        return condition == Condition.IDLE_MACHINE || chosen.isEmpty() ? chosen : chosen.subList(0, 1);
    }

    private static Fields faced(Kind kind, Face face, int sizeBytes) {
        return Row.spec(kind, sizeBytes).with("face", face);
    }

    static String size(int sizeBytes) {
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
        THREADS,
        /** Takes an hour, so it runs only if named. */
        PACED,
        IDLE,
        ALLOC,
        STARTUP,
        /** Has contenders of its own, and is for those who work on it. */
        FIRST
    }

    /** The choices of a command line. */
    record Choice(
            Set<Group> groups,
            Set<Condition> conditions,
            List<Face> faces,
            List<Integer> sizesBytes,
            List<Integer> chunksBytes,
            boolean nagle,
            List<Integer> connections,
            int openConnections,
            int idleConnections,
            int connects,
            int threads,
            double seconds,
            PacedRows.Lengths paced,
            String rowPattern) {
        boolean has(Group group) {
            return groups.contains(group);
        }
    }
}
