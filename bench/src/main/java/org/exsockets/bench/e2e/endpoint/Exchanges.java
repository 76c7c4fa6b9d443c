package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** Messages there and back on one connection, the client's part. Checks the first and the last byte of every answer. */
final class Exchanges {
    private final Wire wire;
    private final int sizeBytes;
    private final Latencies latencies;
    private long sequence;

    Exchanges(Wire wire, int sizeBytes, Latencies latencies) {
        this.wire = wire;
        this.sizeBytes = sizeBytes;
        this.latencies = latencies;
    }

    /** The server's part: echoes until the end of the round. */
    static void echo(Wire wire, int sizeBytes) throws IOException {
        boolean last;
        do {
            wire.receive(sizeBytes);
            last = Flags.isLast(wire.at(0));
            wire.send(sizeBytes);
        } while (!last);
    }

    /** {@return how many exchanges there were until the time was over, one after the other} */
    long run(long startNs, long lengthNs) throws IOException {
        return run(startNs, lengthNs, new Pace(0, 1), startNs);
    }

    /**
     * {@return how many exchanges there were until the time was over}
     *
     * @param firstNs when the first one begins: now
     */
    long run(long startNs, long lengthNs, Pace pace, long firstNs) throws IOException {
        long beforeNs = firstNs;
        long operations = 0;
        boolean last = false;
        while (!last) {
            last = beforeNs - startNs >= lengthNs;
            exchange(Flags.of(sequence, last));
            long afterNs = System.nanoTime();
            latencies.record(afterNs - beforeNs);
            operations++;
            beforeNs = last ? afterNs : pace.next(afterNs);
        }
        return operations;
    }

    private void exchange(byte flags) throws IOException {
        wire.put(sizeBytes - 1, flags);
        wire.put(0, flags);
        wire.send(sizeBytes);
        wire.put(sizeBytes - 1, (byte) ~flags);
        wire.put(0, (byte) ~flags);
        wire.receive(sizeBytes);
        Flags.check(wire.at(0), sequence);
        Flags.check(wire.at(sizeBytes - 1), sequence);
        sequence++;
    }
}
