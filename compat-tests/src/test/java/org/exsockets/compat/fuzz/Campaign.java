package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.exsockets.compat.harness.PeerMain;
import org.exsockets.compat.harness.Transport;

/**
 * Programs, one after the other, through one {@link Judge}: what differs is made small, printed and stored. Used by one
 * thread.
 */
final class Campaign implements AutoCloseable {
    /** Programs that only have classes loaded and code compiled in the new processes; their seeds are no others'. */
    private static final int WARM_UP_PROGRAMS = 3;

    private static final int SHRINKING_TRIES = 200;

    /** What so many programs have shown in the same way counts, though none of them has often enough. */
    private static final int ENOUGH_PROGRAMS = 3;

    private final Judge judge;
    private final Path stored;
    private final PrintStream out;
    private final Map<Evidence.Outcome, Integer> counts = new EnumMap<>(Evidence.Outcome.class);
    private final List<String> different = new ArrayList<>();

    /** What was seen seldom, by symptoms. */
    private final Map<String, List<String>> seldom = new TreeMap<>();

    /**
     * @param stored where programs go that differ
     * @param out where everything is told
     */
    Campaign(World tcp, World exs, Path stored, PrintStream out) throws IOException, InterruptedException {
        this.judge = new Judge(tcp, exs);
        this.stored = stored;
        this.out = out;
        for (int seed = -WARM_UP_PROGRAMS; seed < 0; seed++) {
            judge.overTcp(Generator.program(seed));
            judge.overExs(Generator.program(seed));
        }
    }

    /** Returns the arguments of processes on plain TCP; {@code |} separates those of the build. */
    static World tcp(String... more) throws IOException {
        ensureFloodsFill();
        return new World(Transport.TCP, arguments(System.getProperty("compat.fuzz.arguments", ""), more));
    }

    /** Returns a world over EXS. */
    static World exs(String... more) throws IOException {
        String all = System.getProperty("compat.fuzz.arguments", "") + "|" + System.getProperty("compat.fuzz.agent");
        return new World(Transport.SOFT, arguments(all, more));
    }

    /** What is to block where nobody reads has to be more than this machine's TCP holds. */
    private static void ensureFloodsFill() throws IOException {
        try (ServerSocketChannel listener =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel writer = SocketChannel.open(listener.getLocalAddress())) {
            writer.configureBlocking(false);
            ByteBuffer flood = ByteBuffer.allocate(Moves.FLOOD_BYTES);
            while (writer.write(flood) > 0 && flood.hasRemaining()) {}
            if (!flood.hasRemaining()) {
                throw new IOException("fuzz: TCP holds " + flood.capacity() + " bytes and more that nobody reads, and"
                        + " writes of so many are to block: lower the last value of net.ipv4.tcp_wmem");
            }
        }
    }

    private static List<String> arguments(String separated, String... more) {
        List<String> arguments = new ArrayList<>(List.of("-D" + PeerMain.DEFAULT_GROUP + "=true"));
        for (String argument : separated.split("\\|")) {
            if (!argument.isBlank()) {
                arguments.add(argument.trim());
            }
        }
        arguments.addAll(List.of(more));
        return arguments;
    }

    /** Runs one program. */
    void run(FuzzProgram program, String name) throws IOException, InterruptedException {
        try {
            judge(program, name);
        } catch (AssertionError expired) {
            out.println("fuzz: " + name + ": " + expired.getMessage() + System.lineSeparator() + program);
            throw expired;
        }
    }

    private void judge(FuzzProgram program, String name) throws IOException, InterruptedException {
        Judge.Verdict verdict = judge.judge(program);
        counts.merge(verdict.outcome(), 1, Integer::sum);
        switch (verdict.outcome()) {
            case SAME -> {}
            case SAME_AS_ONE_OF_TCPS -> out.println("fuzz: " + name + ": TCP has several outcomes, EXS none but those");
            case SELDOM_DIFFERENT -> {
                String told = name + System.lineSeparator() + verdict.difference();
                out.println("fuzz: NOT COUNTED: " + told + System.lineSeparator() + program);
                seldom.computeIfAbsent(
                                Comparer.symptom(program, verdict.overTcp(), verdict.overExs()),
                                symptom -> new ArrayList<>())
                        .add(told);
            }
            case DIFFERENT -> report(program, name, verdict);
        }
    }

    private void report(FuzzProgram program, String name, Judge.Verdict verdict)
            throws IOException, InterruptedException {
        FuzzProgram small = judge.shrink(program, verdict, SHRINKING_TRIES);
        List<String> said =
                new ArrayList<>(List.of(name + ", Java " + Runtime.version().feature()));
        String difference = Comparer.difference(small, judge.overTcp(small), judge.overExs(small));
        if (difference != null) {
            difference.lines().forEach(said::add);
            said.add("Before it was made smaller:");
        }
        verdict.difference().lines().forEach(said::add);
        small = small.saying(said);
        Path file = stored.resolve(name.replace(' ', '-') + ".fuzz");
        small.write(file);
        different.add(file + System.lineSeparator() + small);
        out.println("fuzz: " + name + ": DIFFERENT, stored as " + file + System.lineSeparator() + small);
    }

    /** Ends the processes, and returns all that was wrong, told in words. */
    String end() throws IOException {
        out.println("fuzz: " + counts);
        List<String> wrong = new ArrayList<>(different);
        seldom.forEach((symptom, told) -> {
            if (told.size() >= ENOUGH_PROGRAMS) {
                wrong.add("seldom, but in " + told.size() + " programs: " + told);
            } else {
                told.forEach(each -> out.println("fuzz: NOT COUNTED: " + each));
            }
        });
        wrong.addAll(judge.end());
        return String.join(System.lineSeparator(), wrong);
    }

    @Override
    public void close() throws IOException {
        judge.close();
    }
}
