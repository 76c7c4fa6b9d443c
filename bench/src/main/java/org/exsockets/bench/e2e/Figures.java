package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The tables of the documentation, from the files in {@code bench/results} that {@code --csv} has written. A page says
 * where a table stands, and of what:
 *
 * <pre>
 *   &lt;!-- figures FILE.csv | REGEX of rows | FIGURE, ... --&gt;
 *   ... made by bench/figures ...
 *   &lt;!-- end of figures --&gt;
 * </pre>
 *
 * <p>A line per row and placement of the cores, a column per transport, and the figures of EXS (or of the last transport)
 * divided by the first one's: bold where they are worse by {@value #WORSE_PER_CENT} % or more. Where a file's data come from
 * stands below the last of its tables on the page.
 */
@Command(name = "bench/figures", description = "Writes the tables of the documentation from bench/results.")
final class Figures implements Callable<Integer> {
    static final int WORSE_PER_CENT = 5;

    /** Units of which more is better. */
    private static final Set<String> RATES = Set.of("GB/s", "MB/s", "1/s");

    /** Of a transport that does not take part in a row. */
    private static final Map<String, String> NONE = Map.of();

    private static final String END = "<!-- end of figures -->";
    private static final Pattern BLOCK = Pattern.compile(
            "<!-- figures (\\S+\\.csv) \\| (.+?) \\| (.+?) -->\n(.*?)" + Pattern.quote(END), Pattern.DOTALL);

    @Parameters(index = "0", paramLabel = "RESULTS", description = "The directory of the data.")
    private Path results;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "PAGE", description = "The pages with tables.")
    private List<Path> pages = List.of();

    @Option(names = "--check", description = "Write nothing; end with 1 if a page differs from its data.")
    private boolean check;

    @Option(names = "--help", usageHelp = true, description = "Print this.")
    private boolean help;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Figures()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        boolean same = true;
        for (Path page : pages) {
            String before = Files.readString(page);
            String after = filled(before, results);
            if (!after.equals(before)) {
                same = false;
                System.out.println(page + (check ? ": differs from " : ": written from ") + results);
                if (!check) {
                    Files.writeString(page, after);
                }
            }
        }
        return check && !same ? 1 : 0;
    }

    /** {@return the page with each table as its data say} */
    static String filled(String page, Path results) throws IOException {
        StringBuilder filled = new StringBuilder();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            CsvFile file = new CsvFile(results.resolve(block.group(1)));
            String head = page.substring(block.start(), block.start(4));
            boolean last = !page.substring(block.end()).contains("<!-- figures " + block.group(1) + " ");
            String table = table(
                    file,
                    Pattern.compile(block.group(2)),
                    List.of(block.group(3).split(", ")),
                    last);
            block.appendReplacement(filled, Matcher.quoteReplacement(head + table + END));
        }
        return block.appendTail(filled).toString();
    }

    private static String table(CsvFile file, Pattern rows, List<String> figures, boolean last) throws IOException {
        Map<String, Map<String, Map<String, String>>> lines = new LinkedHashMap<>();
        for (Map<String, String> line : file.lines()) {
            if (rows.matcher(line.get("row")).find()) {
                String cores = line.get("placement");
                lines.computeIfAbsent(
                                line.get("row") + (cores.equals("-") ? "" : ", " + cores), any -> new LinkedHashMap<>())
                        .put(line.get("transport"), line);
            }
        }
        if (lines.isEmpty()) {
            throw new IOException("no row matches " + rows);
        }
        List<String> transports = lines.values().stream()
                .flatMap(line -> line.keySet().stream())
                .distinct()
                .toList();
        List<String> table = new ArrayList<>();
        table.add("");
        String judged = transports.contains("EXS") ? "EXS" : transports.get(transports.size() - 1);
        table.add("| " + String.join(", ", figures) + " | " + String.join(" | ", transports) + " | " + judged + "/"
                + transports.get(0) + " |");
        table.add("|---".repeat(transports.size() + 2) + "|");
        lines.forEach((name, line) -> table.add("| " + name + ", " + unit(line) + " | "
                + transports.stream()
                        .map(transport -> cell(line.getOrDefault(transport, NONE), figures))
                        .collect(Collectors.joining(" | "))
                + " | "
                + ratios(line.getOrDefault(transports.get(0), NONE), line.getOrDefault(judged, NONE), figures) + " |"));
        table.add("");
        if (last) {
            file.comments().forEach(comment -> table.add("*" + comment + "*  "));
        }
        return String.join("\n", table) + "\n";
    }

    private static String unit(Map<String, Map<String, String>> line) {
        return line.values().iterator().next().get("unit").replace(" p50", "").replace("us", "µs");
    }

    private static String cell(Map<String, String> line, List<String> figures) {
        return figures.stream().map(figure -> number(value(line, figure), line)).collect(Collectors.joining(" / "));
    }

    private static String ratios(Map<String, String> first, Map<String, String> judged, List<String> figures) {
        return figures.stream()
                .map(figure -> {
                    double ratio = value(judged, figure) / value(first, figure);
                    boolean more = figure.equals("rate")
                            || figure.equals("median") && RATES.contains(judged.getOrDefault("unit", ""));
                    boolean worse = more ? ratio * (100 + WORSE_PER_CENT) <= 100 : ratio * 100 >= 100 + WORSE_PER_CENT;
                    String text = number(ratio, judged);
                    return worse ? "**" + text + "**" : text;
                })
                .collect(Collectors.joining(" / "));
    }

    private static double value(Map<String, String> line, String figure) {
        return switch (figure) {
            case "p50" -> CsvFile.number(line, "p50_ns") / 1e3;
            case "p99" -> CsvFile.number(line, "p99_ns") / 1e3;
            case "p99.9" -> CsvFile.number(line, "p999_ns") / 1e3;
            case "CPU" -> CsvFile.number(line, "cpu");
            case "rate" -> CsvFile.number(line, "operations_per_s");
            default -> CsvFile.number(line, figure);
        };
    }

    private static String number(double value, Map<String, String> line) {
        if (!Double.isFinite(value)) {
            return line.getOrDefault("failure", "").isEmpty() ? "–" : "failed";
        }
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }
}
