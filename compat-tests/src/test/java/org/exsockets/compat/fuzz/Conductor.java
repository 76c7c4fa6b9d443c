package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;

/**
 * Has the processes of a world execute a program, one operation after the other, and writes down what is observed. The next
 * operation begins when the one before is over or blocks, and when whatever it released is over, too: nothing depends on
 * which thread is faster. What takes longer than the {@link Patience} ends the test, and is no difference. One thread, one
 * program at a time.
 */
final class Conductor {
    /** The thread of each process that never blocks. */
    private static final String CONTROL = "control";

    private static final int THREADS = 8;
    private static final long SOON_MS = 3;
    private static final Pattern BOUND = Pattern.compile(":(\\d{4,5})$");

    /** An operation that is not over. */
    private record Pending(Operation operation, String thread, CompletableFuture<String> outcome) {}

    private final World world;
    private final Quiet quiet;
    private final FuzzProgram program;
    private final Symbols symbols = new Symbols();
    private final Trace trace = new Trace();
    private final Map<Integer, Pending> pending = new TreeMap<>();

    /** Where to connect to what is bound. */
    private final Map<String, String> ports = new TreeMap<>();

    private final Set<String> full = new HashSet<>();

    private Conductor(World world, Quiet quiet, FuzzProgram program) {
        this.world = world;
        this.quiet = quiet;
        this.program = program;
    }

    /** Runs a program. Whatever happens, the world can run another one then. */
    static Trace run(World world, Quiet quiet, FuzzProgram program) throws IOException, InterruptedException {
        return new Conductor(world, quiet, program).run();
    }

    private Trace run() throws IOException, InterruptedException {
        try {
            for (Operation operation : program.operations()) {
                execute(operation);
            }
            end();
        } catch (Unfinished e) {
            trace.add(Trace.END, 0, e.getMessage());
            world.restart();
        } catch (AssertionError expired) {
            world.restart();
            throw expired;
        }
        return trace;
    }

    private void execute(Operation operation) throws IOException, InterruptedException {
        switch (operation.verb()) {
            case "interrupt" -> {
                trace.add(operation.number(), operation.number(), interrupt(operation));
                settle(operation);
            }
            case "stream", "duplex", "brim" -> {
                trace.add(operation.number(), operation.number(), new Streams(this, operation).run());
                settle(operation);
            }
            default -> {
                String refusal = Undecided.refusal(
                        operation,
                        pending.values().stream().map(Pending::operation).toList(),
                        full);
                if (refusal != null) {
                    trace.add(operation.number(), operation.number(), refusal);
                    return;
                }
                String thread = freeThread(operation.process());
                if (thread == null) {
                    trace.add(operation.number(), operation.number(), "no thread is free");
                    return;
                }
                pending.put(operation.number(), new Pending(operation, thread, start(thread, operation)));
                settle(operation);
            }
        }
    }

    private String interrupt(Operation operation) throws IOException, InterruptedException {
        Pending interrupted = pending.get(Integer.parseInt(operation.argument(0)));
        return interrupted == null
                ? "nothing to interrupt"
                : control(interrupted.operation().process(), "-", "interrupt", operation.argument(0));
    }

    private CompletableFuture<String> start(String thread, Operation operation) throws IOException {
        String first = operation.argument(0);
        Object[] words = new Object[3 + operation.arguments().size()];
        words[0] = operation.number();
        words[1] = operation.object();
        words[2] = operation.verb();
        for (int i = 0; i < operation.arguments().size(); i++) {
            words[3 + i] = operation.arguments().get(i);
        }
        if (operation.verb().endsWith("connect") || operation.verb().endsWith("bind")) {
            words[3] = address(first);
        }
        return process(operation.process()).runOn(thread, Step.class, words);
    }

    /** Returns where an object is bound; other words are {@link Addresses}' own. */
    private String address(String word) {
        if (ports.containsKey(word)) {
            return ports.get(word);
        }
        return program.processOf(word) != null ? "nowhere" : word;
    }

    private PeerJvm process(String name) {
        return world.process(name);
    }

    private String freeThread(String process) {
        for (int i = 0; i < THREADS; i++) {
            String name = "t" + i;
            if (pending.values().stream()
                    .noneMatch(busy -> busy.thread().equals(name)
                            && busy.operation().process().equals(process))) {
                return name;
            }
        }
        return null;
    }

    /** Waits until everything that an operation has brought about has happened, and writes it down. */
    private void settle(Operation operation) throws IOException, InterruptedException {
        Pending own = pending.get(operation.number());
        boolean alone = own != null && pending.size() == 1;
        if (!alone || !isOverSoon(own.outcome()) || Lasting.is(operation.verb())) {
            if (!pending.isEmpty() || Lasting.is(operation.verb())) {
                awaitQuiet();
            }
        }
        writeDown(operation.number());
        if (pending.containsKey(operation.number())) {
            trace.add(operation.number(), operation.number(), "blocked");
        }
    }

    private static boolean isOverSoon(CompletableFuture<String> outcome) throws InterruptedException {
        try {
            outcome.get(SOON_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException written) {
            return true;
        }
    }

    /** Waits until nothing happens in either process but what waits for another operation. */
    void awaitQuiet() throws IOException, InterruptedException {
        long deadlineNs = Patience.deadlineNs();
        while (true) {
            quiet.await(world.processes());
            // The answers to these come behind those of calls that are over.
            String bounded = " " + control("A", "-", "bounded") + " " + control("B", "-", "bounded") + " ";
            if (pending.keySet().stream().noneMatch(number -> bounded.contains(" " + number + " "))) {
                return;
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw Patience.expired("what ends by itself ends: operations" + bounded, Patience.CALL_SECONDS);
            }
        }
    }

    private void writeDown(int step) throws InterruptedException {
        for (Pending each : List.copyOf(pending.values())) {
            if (each.outcome().isDone()) {
                int number = each.operation().number();
                String observed = text(each.outcome());
                rememberPort(each.operation(), observed);
                if (Rule.isCutShort(each.operation(), observed)) {
                    full.add(each.operation().object());
                }
                trace.add(step, number, symbols.named(observed));
                pending.remove(number);
            }
        }
    }

    private void rememberPort(Operation operation, String observed) {
        Matcher bound = BOUND.matcher(observed);
        if (operation.verb().endsWith("bind") && bound.find()) {
            String host = observed.contains("0:0:0:0:0:0:0:1") ? "[::1]:" : "127.0.0.1:";
            ports.put(operation.object(), host + bound.group(1));
        }
    }

    private static String text(CompletableFuture<String> outcome) throws InterruptedException {
        try {
            return outcome.get();
        } catch (ExecutionException e) {
            throw new Unfinished("a process has died: " + e.getCause().getMessage());
        }
    }

    /** Executes something that does not block, beside everything else. */
    String control(String process, String object, String verb, Object... arguments)
            throws IOException, InterruptedException {
        CompletableFuture<String> outcome = startBeside(process, CONTROL, object, verb, arguments);
        try {
            Patience.get(verb + " " + object + " returns", outcome);
        } catch (ExecutionException e) {
            throw new Unfinished("a process has died: " + e.getCause().getMessage());
        }
        return text(outcome);
    }

    /** Begins something on a thread that operations do not use. */
    CompletableFuture<String> startBeside(
            String process, String thread, String object, String verb, Object... arguments) throws IOException {
        Object[] words = new Object[3 + arguments.length];
        words[0] = 0;
        words[1] = object;
        words[2] = verb;
        System.arraycopy(arguments, 0, words, 3, arguments.length);
        return process(process).runOn(thread, Step.class, words);
    }

    /** Tells whether an operation on an object is not over. */
    boolean isBusy(String object) {
        return pending.values().stream()
                .anyMatch(each -> each.operation().object().equals(object));
    }

    /** Tells whether a selection in a process is not over. */
    boolean isSelecting(String process) {
        return pending.values().stream()
                .map(Pending::operation)
                .anyMatch(each -> each.process().equals(process) && each.verb().equals("select"));
    }

    String processOf(String object) {
        return program.processOf(object);
    }

    /**
     * Closes everything: one object after the other where calls are going on, because what they are told depends on which is
     * closed first. What still blocks then never ends.
     */
    private void end() throws IOException, InterruptedException {
        for (boolean selectors : new boolean[] {true, false}) { // These first: they keep what is registered.
            for (Operation operation : program.operations()) {
                boolean selector = operation.argument(0).equals("sel");
                if (operation.verb().equals("open") && selector == selectors && !pending.isEmpty()) {
                    control(operation.process(), operation.object(), "close");
                    awaitQuiet();
                    writeDown(Trace.END);
                }
            }
        }
        for (String process : List.of("A", "B")) {
            String closed = control(process, "-", "clear");
            awaitQuiet();
            writeDown(Trace.END);
            if (!closed.equals("ok")) {
                trace.add(Trace.END, 0, process + " closes: " + closed);
            }
        }
        if (!pending.isEmpty()) {
            pending.keySet().forEach(number -> trace.add(Trace.END, number, "never ends"));
            world.restart();
        }
    }

    /** A program cannot be finished; the message says why, and belongs to the trace. */
    static final class Unfinished extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unfinished(String message) {
            super(message);
        }
    }
}
