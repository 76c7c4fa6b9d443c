package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;

/**
 * RDMA writes without anything around them: {@code ib_write_lat}, which spins at both sides and prints the median of
 * half a round trip, and {@code ib_write_bw}. The reference for any protocol over the device.
 *
 * @param address where its server listens
 */
record Perftest(String address) implements Tool {
    private static final String NUMBER = "\\s+([0-9.]+)";
    /** Bytes, iterations, least, most, typical, average, deviation, 99 %, 99.9 %. */
    private static final Pattern LATENCY = Pattern.compile("^\\s*[0-9]+" + NUMBER.repeat(8), Pattern.MULTILINE);
    /** Bytes, iterations, peak, average, message rate. */
    private static final Pattern THROUGHPUT =
            Pattern.compile("^\\s*[0-9]+" + NUMBER.repeat(4) + "\\s*$", Pattern.MULTILINE);

    @Override
    public String label() {
        return "ib_write";
    }

    @Override
    public List<String> server(Fields spec, int port, int iterations) {
        List<String> command = new ArrayList<>();
        command.add(isRoundTrip(spec) ? "ib_write_lat" : "ib_write_bw");
        command.addAll(List.of("-F", "-p", Integer.toString(port), "-s", spec.text("size")));
        command.addAll(List.of("-n", Integer.toString(iterations)));
        if (!isRoundTrip(spec)) {
            command.addAll(List.of("--report_gbits", "-t", "16"));
        }
        return command;
    }

    @Override
    public List<String> client(Fields spec, int port, int iterations) {
        List<String> command = new ArrayList<>(server(spec, port, iterations));
        command.add(address);
        return command;
    }

    @Override
    public Map<String, Double> figures(Fields spec, String output) {
        Matcher result = (isRoundTrip(spec) ? LATENCY : THROUGHPUT).matcher(output);
        if (!result.find()) {
            throw new IllegalArgumentException("perftest: no result: " + output.trim());
        }
        if (isRoundTrip(spec)) {
            double halfNs = Double.parseDouble(result.group(4)) * 1e3;
            double half99Ns = Double.parseDouble(result.group(7)) * 1e3;
            return Map.of("operationNs", 2 * halfNs, "p50Ns", 2 * halfNs, "p99Ns", 2 * half99Ns);
        }
        double bytesPerNs = Double.parseDouble(result.group(3)) / 8;
        return Map.of("operationNs", spec.integer("size") / bytesPerNs, "server.sliceBytesPerNs", bytesPerNs);
    }

    private static boolean isRoundTrip(Fields spec) {
        return spec.text("kind").equals(Kind.ROUND_TRIP.name());
    }
}
