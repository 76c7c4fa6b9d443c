package org.exsockets.bench.micro;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Bytes through two ends of an EXS stream: sent, found, received, and the room given back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Stream {
    @Param({"64", "1024"})
    private int sizeBytes;

    private StreamEngine here;
    private StreamEngine there;
    private ByteBuffer message;

    @Setup
    public void connect() {
        MemoryEndpoint[] ends = MemoryEndpoint.pair();
        here = new StreamEngine(ends[0]);
        there = new StreamEngine(ends[1]);
        message = ByteBuffer.allocateDirect(sizeBytes);
    }

    /** A message there and one back, as in a round trip: each end finds the credits of the other with the bytes. */
    @Benchmark
    public void roundTrip() {
        pass(here, there);
        pass(there, here);
    }

    private void pass(StreamEngine from, StreamEngine to) {
        int sentBytes = from.outgoing.trySend(message.clear());
        to.progress();
        int receivedBytes = to.incoming.tryReceive(message.clear());
        to.flush();
        if (sentBytes != sizeBytes || receivedBytes != sizeBytes) {
            throw new IllegalStateException(
                    "stream: bytes lost: sent=" + sentBytes + ", received=" + receivedBytes + ", size=" + sizeBytes);
        }
    }
}
