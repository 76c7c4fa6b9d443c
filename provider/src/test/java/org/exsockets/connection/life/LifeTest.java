package org.exsockets.connection.life;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.connection.life.Life.Step;
import org.junit.jupiter.api.Test;

/** The table in {@link Life}'s Javadoc says what its code does: every step in every state that steps lead to. */
class LifeTest {
    private static final Path SOURCE = Path.of("src/main/java/org/exsockets/connection/life/Life.java");
    private static final Pattern ROW =
            Pattern.compile(" \\* <tr><td>(\\w+)</td><td>(.*)</td><td>(.*)</td><td>(.*)</td></tr>");

    /** A connection with so many pins stands for all with more. */
    private static final int MOST_PINS = 1;

    private record Row(Step step, Set<String> needs, Set<String> refusedWhere, Set<String> sets) {
        boolean permits(State state) {
            return state.has.containsAll(needs)
                    && refusedWhere.stream()
                            .noneMatch(each -> each.equals("a pin") ? state.pins > 0 : state.has.contains(each));
        }

        State next(State state) {
            Set<String> next = new TreeSet<>(state.has);
            next.addAll(sets);
            return new State(next, state.pins);
        }
    }

    private record State(Set<String> has, int pins) {
        static State of(Life life) {
            Matcher told = Pattern.compile("\\[(.*)\\] pins=(\\d+)").matcher(life.toString());
            assertTrue(told.matches(), life::toString);
            return new State(names(told.group(1)), Integer.parseInt(told.group(2)));
        }

        boolean isReleased() {
            return has.contains("RELEASED");
        }
    }

    private static Set<String> names(String list) {
        return list.isEmpty() ? new TreeSet<>() : new TreeSet<>(Arrays.asList(list.split(", ")));
    }

    private static List<Row> table() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(SOURCE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(new Row(
                        Step.valueOf(row.group(1)), names(row.group(2)), names(row.group(3)), names(row.group(4))));
            }
        }
        return rows;
    }

    @Test
    void everyStepStandsInTheTableOnce() throws IOException {
        assertEquals(
                Arrays.asList(Step.values()), table().stream().map(Row::step).toList());
    }

    @Test
    void stepsAreTakenAndRefusedAsTheTableHasIt() throws IOException {
        List<Row> table = table();
        Map<State, List<Object>> ways = new LinkedHashMap<>();
        Queue<State> unseen = new ArrayDeque<>();
        State first = State.of(new Life());
        assertEquals(new State(Set.of(), 0), first);
        ways.put(first, List.of());
        unseen.add(first);
        Set<Step> taken = new HashSet<>();
        for (State state = unseen.poll(); state != null; state = unseen.poll()) {
            List<Object> way = ways.get(state);
            for (Row row : table) {
                Life life = after(way);
                boolean permitted = row.permits(state);
                assertEquals(permitted, life.go(row.step), () -> row.step + " behind " + way);
                State next = permitted ? row.next(state) : state;
                assertEquals(next, State.of(life), () -> row.step + " behind " + way);
                if (permitted) {
                    taken.add(row.step);
                }
                reach(next, way, row.step, ways, unseen);
            }
            Life pinned = after(way);
            assertEquals(!state.isReleased(), pinned.pin(), way::toString);
            State next = state.isReleased() ? state : new State(state.has, state.pins + 1);
            assertEquals(next, State.of(pinned), way::toString);
            if (next.pins <= MOST_PINS) {
                reach(next, way, "pin", ways, unseen);
            }
            if (!state.isReleased()) {
                assertEquals(state.pins == 0, pinned.unpin(), way::toString);
                assertEquals(state, State.of(pinned), way::toString);
            }
        }
        assertEquals(Set.of(Step.values()), taken);
        ways.keySet().forEach(LifeTest::check);
    }

    private static void reach(
            State next, List<Object> way, Object by, Map<State, List<Object>> ways, Queue<State> unseen) {
        if (!ways.containsKey(next)) {
            List<Object> longer = new ArrayList<>(way);
            longer.add(by);
            ways.put(next, longer);
            unseen.add(next);
        }
    }

    private static Life after(List<Object> way) {
        Life life = new Life();
        for (Object each : way) {
            assertTrue(each instanceof Step step ? life.go(step) : life.pin(), way::toString);
        }
        return life;
    }

    /** What holds in every state. */
    private static void check(State state) {
        if (state.isReleased()) {
            assertTrue(state.has.containsAll(Set.of("CLOSED", "DISCONNECTED")), state::toString);
            assertEquals(0, state.pins, state::toString);
        }
        assertFalse(state.has.containsAll(Set.of("OUTPUT_FIRST", "ABORTED")), state::toString);
        if (state.has.contains("RESET_READ")) {
            assertTrue(state.has.contains("RESET_TOLD"), state::toString);
        }
        if (state.has.contains("JVM_ENDS")) {
            assertTrue(state.has.contains("OUTPUT_SHUT"), state::toString);
        }
    }

    /** A question for two things answers as the two do. */
    @Test
    void questionsForTwoThingsAnswerAsTheTwoDo() {
        for (Step step : Step.values()) {
            Life life = new Life();
            if (step == Step.RELEASE) {
                life.go(Step.CLOSE);
                life.go(Step.DISCONNECT);
                assertTrue(life.isUnused());
            }
            assertTrue(life.go(step));
            assertEquals(!life.isClosed() && !life.isInputShut(), life.takesReads(), step::name);
            assertEquals(!life.isOutputOver() && !life.isPeerOver(), life.takesWrites(), step::name);
            assertEquals(life.isClosed() || life.isOutputShut(), life.isOutputOver(), step::name);
            assertEquals(life.isClosed() || life.isPeerOver(), life.isClosedOrPeerOver(), step::name);
            assertEquals(life.isPeerOver() || life.isDisconnected(), life.isHungUp(), step::name);
            assertEquals(life.isReset() || life.isDisconnected(), life.isLost(), step::name);
            assertEquals(life.isClosed() || step == Step.INTERRUPT, life.isClosedBefore(), step::name);
            assertFalse(life.isUnused(), step::name);
        }
    }
}
