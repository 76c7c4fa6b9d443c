package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.bench.e2e.Chart.Across;
import org.exsockets.bench.e2e.Chart.Point;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The second half of {@code bench/plot}: draws what {@code bench/compare} has measured over size, or at a pace over the
 * rate.
 */
@Command(
        name = "bench/plot",
        description = "Draws latency and throughput over size, or over the rate, from a table of bench/compare.")
final class Plot implements Callable<Integer> {
    private static final Pattern ROW = Pattern.compile("^(round trip|stream) ([a-z]+) (\\d+) (B|KB|MB)$");

    /** One thread that asks at a pace. */
    private static final Pattern PACED = Pattern.compile("^paced 1 x \\d+ (?:us|ms) (sockets|selector server)$");

    @Parameters(index = "0", paramLabel = "CSV", description = "As bench/compare --csv writes it.")
    private Path table;

    @Parameters(index = "1", paramLabel = "DIRECTORY", description = "Where the pictures go.")
    private Path directory;

    @Option(names = "--help", usageHelp = true, description = "Print this.")
    private boolean help;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Plot()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        CsvFile file = new CsvFile(table);
        Files.createDirectories(directory);
        boolean drawn = write(file, "round trip", new Chart("Round trip, median", "µs", Across.SIZE), "latency.svg")
                | write(file, "stream", new Chart("Streaming one way", "GB/s", Across.SIZE), "throughput.svg")
                | writePaced(file, "Requests of one thread: p50", "µs", "p50_ns", 1e-3, "paced-p50.svg")
                | writePaced(file, "Requests of one thread: p99", "µs", "p99_ns", 1e-3, "paced-p99.svg")
                | writePaced(file, "Requests of one thread: CPU of both", "µs each", "cpu", 1, "paced-cpu.svg");
        if (!drawn) {
            throw new IOException(table + ": no rows to draw");
        }
        return 0;
    }

    /** {@return whether there was anything to draw} */
    private boolean write(CsvFile file, String title, Chart chart, String name) throws IOException {
        Map<String, List<Point>> curves = new TreeMap<>(Comparator.reverseOrder());
        for (Map<String, String> line : file.lines()) {
            Matcher row = ROW.matcher(line.get("row"));
            double value = CsvFile.number(line, "median");
            if (row.find() && row.group(1).equals(title) && value > 0) {
                String curve = line.get("transport") + ", " + line.get("placement");
                int unit = row.group(4).equals("MB") ? 1 << 20 : row.group(4).equals("KB") ? 1 << 10 : 1;
                curves.computeIfAbsent(curve, any -> new ArrayList<>())
                        .add(new Point((double) unit * Integer.parseInt(row.group(3)), value));
            }
        }
        return draw(curves, chart, name);
    }

    private boolean writePaced(CsvFile file, String title, String unit, String column, double factor, String name)
            throws IOException {
        Map<String, List<Point>> curves = new TreeMap<>(Comparator.reverseOrder());
        for (Map<String, String> line : file.lines()) {
            Matcher row = PACED.matcher(line.get("row"));
            double rate = CsvFile.number(line, "operations_per_s");
            double value = factor * CsvFile.number(line, column);
            if (row.find() && rate > 0 && value > 0) {
                curves.computeIfAbsent(line.get("transport") + ", " + row.group(1), any -> new ArrayList<>())
                        .add(new Point(rate, value));
            }
        }
        return draw(curves, new Chart(title, unit, Across.RATE), name);
    }

    private boolean draw(Map<String, List<Point>> curves, Chart chart, String name) throws IOException {
        if (curves.isEmpty()) {
            return false;
        }
        curves.forEach((curve, points) -> {
            points.sort(Comparator.comparingDouble(Point::across));
            chart.add(curve, points);
        });
        Files.writeString(directory.resolve(name), chart.svg());
        return true;
    }
}
