package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line chart with two logarithmic axes, as SVG: horizontally sizes in bytes or rates, vertically any figure. Its
 * colours are readable on light and on dark ground; the ground itself is transparent.
 */
final class Chart {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int LEGEND_LINE = 40;

    /** More than a letter of the legend is wide. */
    private static final int LETTER = 8;

    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final List<String> COLOURS =
            List.of("#808890", "#2f81f7", "#d9822b", "#3fa45b", "#a371f7", "#d6567a");

    /** Lengths of dashes and gaps, so that lines differ without colour, too. */
    private static final List<String> DASHES = List.of("none", "8 4", "2 3", "12 3 2 3", "16 6", "5 2 2 2 2 2");

    /** The horizontal axis. */
    enum Across {
        /** Bytes, each mark four times the one before, beginning at the least size. */
        SIZE(4),
        /** Per second, each mark ten times the one before, from a power of ten to a power of ten. */
        RATE(10);

        private final int step;

        Across(int step) {
            this.step = step;
        }

        private double from(double least) {
            return this == RATE ? Math.pow(step, Math.floor(Math.log10(least))) : least;
        }

        private double to(double greatest) {
            return this == RATE ? Math.pow(step, Math.ceil(Math.log10(greatest))) : greatest;
        }

        private String label(double value) {
            if (this == SIZE) {
                return Plan.size((int) value);
            }
            return value >= 1e6
                    ? Math.round(value / 1e6) + "M/s"
                    : value >= 1e3 ? Math.round(value / 1e3) + "k/s" : Math.round(value) + "/s";
        }
    }

    private final String title;
    private final String unit;
    private final Across marks;
    private final List<Line> lines = new ArrayList<>();

    Chart(String title, String unit, Across marks) {
        this.title = title;
        this.unit = unit;
        this.marks = marks;
    }

    /** Adds a line through points of positive place and value, in order of place. */
    void add(String name, List<Point> points) {
        lines.add(new Line(name, points));
    }

    /** {@return the picture} */
    String svg() {
        double least = points().stream().mapToDouble(Point::value).min().orElseThrow();
        double greatest = points().stream().mapToDouble(Point::value).max().orElseThrow();
        Axis up = new Axis(
                Math.pow(10, Math.floor(Math.log10(least))),
                Math.pow(10, Math.ceil(Math.log10(greatest))),
                HEIGHT - BOTTOM,
                TOP);
        Axis across = new Axis(
                marks.from(points().stream().mapToDouble(Point::across).min().orElseThrow()),
                marks.to(points().stream().mapToDouble(Point::across).max().orElseThrow()),
                LEFT,
                right());
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n"
                        + "<style>text{font:13px sans-serif;fill:#808890}line{stroke:#808890;stroke-opacity:.35}"
                        + "polyline{fill:none;stroke-width:2}</style>%n",
                WIDTH,
                HEIGHT,
                title));
        text(svg, LEFT, TOP - 16, "start", title + ", " + unit);
        for (double value = up.from; value <= up.to * 1.001; value *= 10) {
            line(svg, LEFT, up.at(value), right(), up.at(value));
            text(svg, LEFT - 8, up.at(value) + 4, "end", Demand.number(value));
        }
        for (double mark = across.from; mark <= across.to * 1.001; mark *= marks.step) {
            line(svg, across.at(mark), TOP, across.at(mark), HEIGHT - BOTTOM);
            text(svg, across.at(mark), HEIGHT - BOTTOM + 20, "middle", marks.label(mark));
        }
        for (int i = 0; i < lines.size(); i++) {
            curve(svg, i, across, up);
        }
        return svg.append("</svg>\n").toString();
    }

    private void curve(StringBuilder svg, int index, Axis across, Axis up) {
        Line line = lines.get(index);
        String stroke = "<polyline stroke=\"" + COLOURS.get(index % COLOURS.size()) + "\" stroke-dasharray=\""
                + DASHES.get(index % DASHES.size()) + "\" points=\"";
        svg.append(stroke);
        for (Point point : line.points) {
            svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", across.at(point.across), up.at(point.value)));
        }
        svg.append("\"/>\n");
        int y = TOP + 10 + 22 * index;
        svg.append(stroke)
                .append(String.format("%d,%d %d,%d\"/>%n", right() + 6, y - 4, right() + LEGEND_LINE - 4, y - 4));
        text(svg, right() + LEGEND_LINE, y, "start", line.name);
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n", x1, y1, x2, y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text));
    }

    /** {@return where the lines end and the legend begins} */
    private int right() {
        int longest = lines.stream().mapToInt(line -> line.name.length()).max().orElseThrow();
        return WIDTH - LEGEND_LINE - LETTER * longest;
    }

    private List<Point> points() {
        return lines.stream().flatMap(line -> line.points.stream()).toList();
    }

    /** @param across bytes or per second, as the chart's {@link Across} says */
    record Point(double across, double value) {}

    private record Line(String name, List<Point> points) {}

    /** Maps values to places in the picture. */
    private record Axis(double from, double to, double start, double end) {
        double at(double value) {
            return start + (end - start) * Math.log(value / from) / Math.log(to / from);
        }
    }
}
