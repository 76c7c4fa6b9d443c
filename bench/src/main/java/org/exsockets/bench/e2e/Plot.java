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
import org.exsockets.bench.e2e.Chart.Point;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The second half of {@code bench/plot}: draws what {@code bench/compare} has measured over size. */
@Command(name = "bench/plot", description = "Draws latency and throughput over size from a table of bench/compare.")
final class Plot implements Callable<Integer> {
    private static final Pattern ROW = Pattern.compile("^(round trip|stream) ([a-z]+) (\\d+) (B|KB|MB)$");

    @Parameters(index = "0", paramLabel = "CSV", description = "As bench/compare --csv writes it.")
    private Path table;

    @Parameters(index = "1", paramLabel = "DIRECTORY", description = "Where latency.svg and throughput.svg go.")
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
        write(file, "round trip", new Chart("Round trip, median", "µs"), "latency.svg");
        write(file, "stream", new Chart("Streaming one way", "GB/s"), "throughput.svg");
        return 0;
    }

    private void write(CsvFile file, String title, Chart chart, String name) throws IOException {
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
        if (curves.isEmpty()) {
            throw new IOException(table + ": no rows \"" + title + "\"");
        }
        curves.forEach((curve, points) -> {
            points.sort(Comparator.comparingDouble(Point::sizeBytes));
            chart.add(curve, points);
        });
        Files.writeString(directory.resolve(name), chart.svg());
    }
}
