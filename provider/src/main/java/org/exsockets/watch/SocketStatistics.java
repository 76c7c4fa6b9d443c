package org.exsockets.watch;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.exsockets.config.SettingsReader;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.observe.Log;

/**
 * The command {@code ss}: the EXS connections and listeners of this user's processes (of root: of everybody's) in this
 * network namespace, as ss(8) shows those of TCP. A process that does not answer within {@value #LIMIT_MS} ms is named.
 * Used by one thread.
 */
public final class SocketStatistics {
    /** Status: every process has answered. */
    static final int WELL = 0;

    /** Status: some process has not answered, or nobody could be asked. */
    static final int SILENT = 1;

    /** Status: the command line cannot be understood. */
    static final int MISUSED = 2;

    static final long LIMIT_MS = 2_000;

    private static final String USAGE = "usage: java -jar exs-agent.jar ss [--wide] [--json] [--watch SECONDS]";

    private static final List<String> SHOWN =
            List.of("state", "unread_bytes", "unacked_bytes", "local", "peer", "device");
    private static final List<String> IN = List.of("in_direct_bytes", "in_indirect_bytes");
    private static final List<String> OUT = List.of("out_direct_bytes", "out_indirect_bytes");

    private final PrintStream out = System.out;
    private boolean wide;
    private boolean json;
    private long watchSeconds;

    /** Bytes of a connection at the last look, by process and addresses. */
    private Map<String, long[]> before = new HashMap<>();

    private SocketStatistics() {}

    /** Runs the command with what follows {@code ss} on the command line. {@return the exit status} */
    public static int run(String[] arguments) {
        Log.configure(SettingsReader.silent());
        SocketStatistics command = new SocketStatistics();
        if (!command.understands(arguments)) {
            command.out.println(USAGE);
            return MISUSED;
        }
        if (!DescriptorPoll.require()) {
            command.out.println("ss: the native library cannot be used here: " + DescriptorPoll.obstacle());
            return SILENT;
        }
        try {
            return command.show();
        } catch (IOException e) {
            command.out.println("ss: " + e.getMessage());
            return SILENT;
        }
    }

    private boolean understands(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--wide" -> wide = true;
                case "--json" -> json = true;
                case "--watch" -> {
                    i++;
                    if (i == arguments.length || !arguments[i].matches("[1-9][0-9]{0,5}")) {
                        return false;
                    }
                    watchSeconds = Long.parseLong(arguments[i]);
                }
                default -> {
                    return false;
                }
            }
        }
        return true;
    }

    private int show() throws IOException {
        while (true) {
            List<Question.Answer> answers = Question.askAll(TimeUnit.MILLISECONDS.toNanos(LIMIT_MS));
            if (json) {
                answers.forEach(this::printJson);
            } else {
                printTable(answers);
            }
            out.flush();
            if (watchSeconds == 0 || out.checkError()) {
                return answers.stream().allMatch(answer -> answer.trouble().isEmpty()) ? WELL : SILENT;
            }
            try {
                TimeUnit.SECONDS.sleep(watchSeconds);
            } catch (InterruptedException e) {
                return WELL;
            }
            out.println();
        }
    }

    // For people.

    private void printTable(List<Question.Answer> answers) {
        List<List<String>> table = new ArrayList<>();
        String per = before.isEmpty() ? "" : "/s";
        table.add(List.of(
                "state", "unread", "unacked", "local", "peer", "device", "in" + per, "out" + per, "age", "process"));
        Map<String, long[]> now = new HashMap<>();
        for (Question.Answer answer : answers) {
            String process = process(answer);
            for (Report.Line line : answer.lines()) {
                if (!line.kind().equals(Report.PROCESS) && !line.kind().equals(Report.CUT)) {
                    table.add(row(line, process, now));
                }
            }
        }
        before = now;
        print(table);
        answers.forEach(this::printProcess);
        if (answers.isEmpty()) {
            out.println("No process of this user has EXS connections or listeners here, or has had them for a second.");
        }
    }

    private List<String> row(Report.Line line, String process, Map<String, long[]> now) {
        long[] bytes = {sum(line, IN), sum(line, OUT)};
        String key = process + line.get("local") + line.get("peer") + line.get("number");
        now.put(key, bytes);
        long[] earlier = before.getOrDefault(key, new long[bytes.length]);
        List<String> row = new ArrayList<>();
        SHOWN.forEach(name -> row.add(line.get(name)));
        for (int i = 0; i < bytes.length; i++) {
            long shown = before.isEmpty() ? bytes[i] : (bytes[i] - earlier[i]) / watchSeconds;
            row.add(line.kind().equals(Report.LISTENER) ? "" : amount(shown));
        }
        row.add(line.get("age_s").isEmpty() ? "" : age(line.number("age_s")));
        row.add(process);
        row.add(rest(line));
        return row;
    }

    private static long sum(Report.Line line, List<String> names) {
        return names.stream().mapToLong(line::number).sum();
    }

    /** What the table has no column for. */
    private static String rest(Report.Line line) {
        return line.values().entrySet().stream()
                .filter(value ->
                        !SHOWN.contains(value.getKey()) && !value.getKey().equals("age_s"))
                .map(value -> value.getKey() + "=" + value.getValue())
                .collect(Collectors.joining(" "));
    }

    /** @param table behind the head's columns a row may have what stands below it, if that is wanted */
    private void print(List<List<String>> table) {
        int columns = table.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : table) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : table) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                int blanks = i == columns - 1 ? 0 : widths[i] - row.get(i).length() + 2;
                text.append(row.get(i)).append(" ".repeat(blanks));
            }
            out.println(text);
            if (wide && row.size() > columns && !row.get(columns).isEmpty()) {
                out.println("    " + row.get(columns));
            }
        }
    }

    private void printProcess(Question.Answer answer) {
        if (!answer.trouble().isEmpty()) {
            out.println(process(answer) + ": " + answer.trouble());
            return;
        }
        for (Report.Line line : answer.lines()) {
            String fallbacks = line.values().entrySet().stream()
                    .filter(value -> value.getKey().startsWith("fallback."))
                    .map(value -> value.getKey().substring("fallback.".length()) + " " + value.getValue())
                    .collect(Collectors.joining(", "));
            if (line.kind().equals(Report.PROCESS) && (wide || !fallbacks.isEmpty())) {
                out.println(process(answer) + ": over TCP: " + line.number("connections_tcp")
                        + (fallbacks.isEmpty() ? "" : ", because of: " + fallbacks)
                        + (wide ? "; " + rest(line) : ""));
            } else if (line.kind().equals(Report.CUT)) {
                out.println(process(answer) + ": has more than it had room for in its answer");
            }
        }
    }

    private static String process(Question.Answer answer) {
        String program = answer.lines().isEmpty() ? "" : answer.lines().get(0).get("program");
        long pid = answer.pid() != 0 || answer.lines().isEmpty()
                ? answer.pid()
                : answer.lines().get(0).number("pid");
        return pid + (program.isEmpty() ? "" : "/" + program);
    }

    private static String amount(long bytes) {
        if (bytes < 10_000) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = 0;
        while (value >= 1_000) {
            value /= 1_000;
            unit++;
        }
        return String.format(
                Locale.ROOT,
                value < 10 ? "%.2f %sB" : value < 100 ? "%.1f %sB" : "%.0f %sB",
                value,
                " kMGTPE".charAt(unit));
    }

    private static String age(long seconds) {
        return seconds < 100 ? seconds + " s" : seconds < 6_000 ? seconds / 60 + " min" : seconds / 3_600 + " h";
    }

    // For programs.

    private void printJson(Question.Answer answer) {
        if (answer.lines().isEmpty()) {
            out.println(
                    "{\"kind\":\"silent\",\"seen_pid\":" + answer.pid() + ",\"why\":" + quoted(answer.trouble()) + "}");
        }
        for (Report.Line line : answer.lines()) {
            StringBuilder object =
                    new StringBuilder("{\"kind\":" + quoted(line.kind()) + ",\"seen_pid\":" + answer.pid());
            line.values()
                    .forEach((key, value) -> object.append(',')
                            .append(quoted(key))
                            .append(':')
                            .append(value.matches("-?[0-9]{1,18}") ? value : quoted(value)));
            out.println(object.append('}'));
        }
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
