package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;

/**
 * rsockets, by its own program. It streams there and then back, and prints averages only.
 *
 * @param label heads its column
 * @param address where its server listens
 * @param options for both sides: without any, it polls by non-blocking calls
 */
record Rstream(String label, String address, List<String> options) implements Tool {
    /** The line of results: the last column is the time per transfer in microseconds. */
    private static final Pattern RESULT = Pattern.compile("^custom\\s.*\\s([0-9.]+)\\s*$", Pattern.MULTILINE);

    @Override
    public List<String> server(Fields spec, int port, int iterations) {
        return command("-b", spec, port, iterations);
    }

    @Override
    public List<String> client(Fields spec, int port, int iterations) {
        return command("-s", spec, port, iterations);
    }

    @Override
    public Map<String, Double> figures(Fields spec, String output) {
        Matcher result = RESULT.matcher(output);
        if (!result.find()) {
            throw new IllegalArgumentException("rstream: no result: " + output.trim());
        }
        double transferNs = Double.parseDouble(result.group(1)) * 1e3;
        return isRoundTrip(spec)
                ? Map.of("operationNs", 2 * transferNs, "p50Ns", 2 * transferNs)
                : Map.of("operationNs", 2 * transferNs, "server.sliceBytesPerNs", spec.integer("size") / transferNs);
    }

    private List<String> command(String addressOption, Fields spec, int port, int iterations) {
        int trips = isRoundTrip(spec) ? iterations : 1;
        int transfers = isRoundTrip(spec) ? 1 : iterations;
        List<String> command = new ArrayList<>(List.of("rstream", addressOption, address));
        command.addAll(List.of("-p", Integer.toString(port), "-S", spec.text("size")));
        command.addAll(List.of("-C", Integer.toString(transfers), "-I", Integer.toString(trips)));
        command.addAll(options);
        return command;
    }

    private static boolean isRoundTrip(Fields spec) {
        return spec.text("kind").equals(Kind.ROUND_TRIP.name());
    }
}
