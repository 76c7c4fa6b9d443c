package org.exsockets.compat.seams.programs.states;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.exsockets.compat.harness.Patience;

/**
 * States of one kind of object and calls on it. Each call is made twice in a row in each state, on an object of its own, and
 * the object is closed then; a row tells the three outcomes. Ports, lengths of buffers and hashes are left out of them.
 */
final class Table<T extends Closeable> {
    /** Makes an object with that state. */
    @FunctionalInterface
    interface State<T> {
        T make(Situation situation) throws Exception;
    }

    /** Brings an object into a state. */
    @FunctionalInterface
    interface Preparation<T> {
        void run(Situation situation, T object) throws Exception;
    }

    /** Makes a call. */
    @FunctionalInterface
    interface Call<T> {
        Object on(T object) throws Exception;
    }

    /** Rows that are made at the same time: most of a row is waiting. */
    private static final int ROWS_AT_ONCE = 16;

    /** A call that takes longer counts as one that blocks. */
    private static final long LIMIT_MS = 250;

    /** Of all tables: calls may block for ever. */
    private static final ExecutorService CALLERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    });

    private final String name;
    private final Predicate<T> open;
    private final Map<String, State<T>> states = new LinkedHashMap<>();
    private final Map<String, Call<T>> calls = new LinkedHashMap<>();

    /**
     * Makes an empty table.
     *
     * @param open whether an object is open
     */
    Table(String name, Predicate<T> open) {
        this.name = name;
        this.open = open;
    }

    Table<T> state(String word, State<T> state) {
        states.put(word, state);
        return this;
    }

    void state(String word, State<T> unprepared, Preparation<T> preparation) {
        state(word, situation -> {
            T object = unprepared.make(situation);
            preparation.run(situation, object);
            return object;
        });
    }

    Table<T> call(String word, Call<T> call) {
        calls.put(word, call);
        return this;
    }

    /** Makes the rows whose names are wanted. */
    List<String> rows(Predicate<String> wanted) throws InterruptedException, ExecutionException {
        ExecutorService rows = Executors.newFixedThreadPool(ROWS_AT_ONCE);
        try {
            List<Callable<String>> tasks = new ArrayList<>();
            for (Map.Entry<String, State<T>> state : states.entrySet()) {
                for (Map.Entry<String, Call<T>> call : calls.entrySet()) {
                    String row = name + " " + state.getKey() + " " + call.getKey();
                    if (wanted.test(row)) {
                        tasks.add(() -> row + ": " + outcomes(state.getValue(), call.getValue()));
                    }
                }
            }
            List<String> made = new ArrayList<>();
            for (Future<String> row : rows.invokeAll(tasks)) {
                made.add(row.get());
            }
            return made;
        } finally {
            rows.shutdown();
        }
    }

    private String outcomes(State<T> state, Call<T> call) throws Exception {
        try (Situation situation = new Situation()) {
            T object = state.make(situation);
            long limitMs = Situation.stretched(LIMIT_MS);
            String first = outcome(call, object, limitMs);
            String second = outcome(call, object, limitMs);
            String closed = outcome(this::close, object, TimeUnit.SECONDS.toMillis(Patience.CALL_SECONDS));
            return first + " | " + second + " | " + closed;
        }
    }

    private Object close(T object) throws IOException {
        object.close();
        return open.test(object) ? "open" : "closed";
    }

    private static <T> String outcome(Call<T> call, T object, long limitMs) throws InterruptedException {
        Future<Object> outcome = CALLERS.submit(() -> call.on(object));
        try {
            return text(outcome.get(limitMs, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return "blocks";
        } catch (ExecutionException e) {
            return text(e.getCause());
        }
    }

    private static String text(Object outcome) {
        if (outcome instanceof Throwable thrown) {
            String told = thrown.getClass().getName() + ": " + normal(String.valueOf(thrown.getMessage()));
            return "!" + told + (thrown.getCause() == null ? "" : " because of " + text(thrown.getCause()));
        }
        return normal(String.valueOf(outcome));
    }

    private static String normal(String text) {
        return text.replaceAll(":\\d{2,5}", ":N")
                .replaceAll("port=\\d+", "port=N")
                .replaceAll("@[0-9a-f]+", "@H")
                .replaceAll("\\d{5}", "N");
    }
}
