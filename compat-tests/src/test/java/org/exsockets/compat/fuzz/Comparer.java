package org.exsockets.compat.fuzz;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the first difference between two traces of a program that no {@link Rule} allows. Stateless. */
final class Comparer {
    private Comparer() {}

    /**
     * Two observations that should be the same; null if there is none.
     *
     * @param index of both in their traces
     */
    record Pair(int index, Trace.Event tcp, Trace.Event exs) {
        /** Returns what EXS has done and when; the same for all runs that do the same there. */
        String kindOverExs() {
            return exs == null ? "nothing" : exs.step() + " " + exs.operation() + " " + withoutNumbers(exs.observed());
        }
    }

    /** Returns what differs, told in words; null if nothing does. */
    static String difference(FuzzProgram program, Trace overTcp, Trace overExs) {
        Pair pair = firstPair(program, overTcp, overExs);
        return pair == null ? null : told(program, pair);
    }

    /** Tells in words what differs. */
    static String told(FuzzProgram program, Pair pair) {
        Map<Integer, Operation> operations = byNumber(program);
        return "TCP: " + said(operations, pair.tcp()) + System.lineSeparator() + "EXS: " + said(operations, pair.exs());
    }

    /** Returns what differs, without what changes when a program gets smaller; empty if nothing does. */
    static String symptom(FuzzProgram program, Trace overTcp, Trace overExs) {
        Pair pair = firstPair(program, overTcp, overExs);
        Map<Integer, Operation> operations = byNumber(program);
        return pair == null ? "" : kind(operations, pair.tcp()) + "; " + kind(operations, pair.exs());
    }

    private static String kind(Map<Integer, Operation> operations, Trace.Event event) {
        if (event == null) {
            return "nothing";
        }
        Operation operation = operations.get(event.operation());
        return (operation == null ? "" : operation.verb())
                + (event.step() == event.operation() ? " " : " later ")
                + withoutNumbers(event.observed());
    }

    private static String withoutNumbers(String observed) {
        return observed.replaceAll("\\b[0-9a-f]*\\d[0-9a-f]*\\b", "N");
    }

    private static Map<Integer, Operation> byNumber(FuzzProgram program) {
        Map<Integer, Operation> operations = new HashMap<>();
        program.operations().forEach(operation -> operations.put(operation.number(), operation));
        return operations;
    }

    /** Returns the first difference; null if there is none. */
    static Pair firstPair(FuzzProgram program, Trace overTcp, Trace overExs) {
        Map<Integer, Operation> operations = byNumber(program);
        List<Trace.Event> expected = overTcp.events();
        List<Trace.Event> actual = overExs.events();
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            Trace.Event tcp = i < expected.size() ? expected.get(i) : null;
            Trace.Event exs = i < actual.size() ? actual.get(i) : null;
            if (!allowed(program, operations, tcp, exs)) {
                return new Pair(i, tcp, exs);
            }
        }
        return null;
    }

    private static boolean allowed(
            FuzzProgram program, Map<Integer, Operation> operations, Trace.Event tcp, Trace.Event exs) {
        if (tcp == null || exs == null) {
            return false;
        }
        if (tcp.equals(exs)) {
            return true;
        }
        Operation operation = operations.get(tcp.operation());
        return tcp.step() == exs.step()
                && tcp.operation() == exs.operation()
                && operation != null
                && Rule.anyAllows(program, operation, tcp.observed(), exs.observed());
    }

    private static String said(Map<Integer, Operation> operations, Trace.Event event) {
        if (event == null) {
            return "nothing more";
        }
        Operation operation = operations.get(event.operation());
        return (operation == null ? "" : operation + " -> ") + event;
    }
}
