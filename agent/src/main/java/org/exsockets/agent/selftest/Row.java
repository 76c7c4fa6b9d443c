package org.exsockets.agent.selftest;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured.
 *
 * @param group what the verdict calls it, together with others
 * @param kind how the answer of the {@link Client} is read
 * @param ask the question; the milliseconds of a slice come in the place of {@code MS}
 * @param weight how long its slices are, in comparison
 */
record Row(String name, String group, Kind kind, String ask, int weight) {
    private static final String MS = "MS";
    private static final int MESSAGE_BYTES = 64;
    private static final int PAGES_BYTES = 8 << 10;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int[] PACES = {100, 1_000};

    /** The first is one of a JVM's first second, of which {@link Fresh} is asked. */
    enum Kind {
        FIRST_ANSWER("ms", true),
        FIRST_SECOND("a second", false),
        TRIPS("µs", true),
        STREAM("GB/s", false),
        CONNECTS("1/s", false);

        final String unit;
        final boolean lessIsBetter;

        Kind(String unit, boolean lessIsBetter) {
            this.unit = unit;
            this.lessIsBetter = lessIsBetter;
        }

        boolean hasTail() {
            return this == TRIPS;
        }
    }

    /** Of JVMs that are started for it. */
    static final Row FIRST_ANSWER =
            new Row("first answer after a JVM's start", "the first answer of a new JVM", Kind.FIRST_ANSWER, "", 0);

    static final Row FIRST_SECOND =
            new Row("round trips in a JVM's first second", "the first second of a new JVM", Kind.FIRST_SECOND, "", 0);

    /** {@return all that are asked of a client that lives on} */
    static List<Row> lasting() {
        List<Row> rows = new ArrayList<>();
        for (Face face : Face.values()) {
            rows.add(trips(face, MESSAGE_BYTES));
        }
        rows.add(trips(Face.CHANNEL, PAGES_BYTES));
        for (Face face : List.of(Face.SOCKET, Face.CHANNEL)) {
            String ask = "stream " + face + " " + CHUNK_BYTES + " " + MS;
            rows.add(new Row("stream of 64 KiB, " + face.title, "streams", Kind.STREAM, ask, 2));
        }
        for (Face face : List.of(Face.SOCKET, Face.CHANNEL)) {
            String ask = "connects " + face + " " + MESSAGE_BYTES + " " + MS;
            rows.add(new Row("connect, round trip, close, " + face.title, "connects", Kind.CONNECTS, ask, 1));
        }
        for (int pace : PACES) {
            String ask = "paced " + Face.CHANNEL + " " + MESSAGE_BYTES + " " + MS + " " + pace;
            String name = String.format("%,d requests a second", pace);
            rows.add(new Row(name, name, Kind.TRIPS, ask, 4));
        }
        return rows;
    }

    private static Row trips(Face face, int bytes) {
        String ask = "trips " + face + " " + bytes + " " + MS;
        return new Row("round trip of " + bytes + " B, " + face.title, "round trips", Kind.TRIPS, ask, 1);
    }

    String question(long sliceMs) {
        return ask.replace(MS, Long.toString(sliceMs));
    }

    /** {@return the slice that an answer tells of} */
    Slice slice(String[] answer, long wallNs, long cpuNs) {
        double first = Long.parseLong(answer[0]);
        double second = Long.parseLong(answer[1]);
        return switch (kind) {
            case FIRST_ANSWER -> new Slice(first, 0, 0, 1, wallNs, cpuNs);
            case FIRST_SECOND -> new Slice(second, 0, 0, (long) second, wallNs, cpuNs);
            case TRIPS ->
                new Slice(
                        second / 1e3,
                        Long.parseLong(answer[2]) / 1e3,
                        Long.parseLong(answer[3]) / 1e3,
                        (long) first,
                        wallNs,
                        cpuNs);
            case STREAM -> new Slice(first / second, 0, 0, (long) first, wallNs, cpuNs);
            case CONNECTS -> new Slice(first / second * 1e9, 0, 0, (long) first, wallNs, cpuNs);
        };
    }
}
