package org.exsockets.compat.programs;

import java.util.List;

/**
 * What a client said at its end.
 *
 * @param results what it has got, a line each
 * @param toServerBytes content that it has sent, at least
 * @param toClientBytes content that it has received, at least
 */
record ClientReport(List<String> results, long toServerBytes, long toClientBytes) {
    /**
     * Reads what it printed; lines of the program itself are skipped.
     *
     * @throws AssertionError if there is no result, or not how much was moved
     */
    static ClientReport in(List<String> printed) {
        List<String> results =
                printed.stream().filter(line -> line.startsWith("result ")).toList();
        String[] moved = printed.stream()
                .filter(line -> line.startsWith("moved "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the client does not say how much it moved: " + printed))
                .split(" ");
        if (results.isEmpty()) {
            throw new AssertionError("the client has no results: " + printed);
        }
        return new ClientReport(results, Long.parseLong(moved[1]), Long.parseLong(moved[2]));
    }
}
