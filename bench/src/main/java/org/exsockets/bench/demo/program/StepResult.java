package org.exsockets.bench.demo.program;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What one run of one step moved and how long it took: the line a client prints for the demonstration.
 *
 * @param operations requests, rows or round trips done
 * @param bytesToServer payload bytes the client sent, protocol overhead not counted
 * @param bytesToClient payload bytes the client received, protocol overhead not counted
 * @param elapsedNs wall-clock time of the whole step
 * @param p50Ns median latency of one operation; zero if the step has no single operations
 * @param p99Ns 99th percentile of the latency; zero if the step has no single operations
 * @param checksum checksum of everything received, independent of timing; equal runs have equal checksums
 */
public record StepResult(
        long operations,
        long bytesToServer,
        long bytesToClient,
        long elapsedNs,
        long p50Ns,
        long p99Ns,
        long checksum) {
    private static final String PREFIX = "RESULT ";

    /** {@return whether a line of a client's output is a result} */
    public static boolean isResult(String line) {
        return line.startsWith(PREFIX);
    }

    /**
     * Reads what {@link #toLine} wrote.
     *
     * @throws IllegalArgumentException if the line is no result
     */
    public static StepResult parse(String line) {
        long[] fields = Arrays.stream(line.substring(PREFIX.length()).split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
        if (fields.length != 7) {
            throw new IllegalArgumentException("result line: fields=" + fields.length + ", expected=7: " + line);
        }
        return new StepResult(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6]);
    }

    /** {@return the result as one line of a client's output} */
    public String toLine() {
        return Arrays.stream(new long[] {operations, bytesToServer, bytesToClient, elapsedNs, p50Ns, p99Ns, checksum})
                .mapToObj(Long::toString)
                .collect(Collectors.joining(" ", PREFIX, ""));
    }
}
