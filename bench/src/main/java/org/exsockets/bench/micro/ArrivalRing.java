package org.exsockets.bench.micro;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One message through a queue pair of the software device: posted, found in the completion queue, receive posted again.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ArrivalRing {
    private static final int MESSAGE_BYTES = 40;

    private final WorkCompletion completion = new WorkCompletion();
    private final ByteBuffer received = ByteBuffer.allocate(MESSAGE_BYTES);
    private final ByteBuffer sent = ByteBuffer.allocate(MESSAGE_BYTES);
    private QueuePair sender;
    private QueuePair receiver;
    private CompletionQueue arrivals;

    @Setup
    public void connect() {
        MemoryEndpoint[] ends = MemoryEndpoint.pair();
        sender = ends[0].queuePair();
        receiver = ends[1].queuePair();
        arrivals = receiver.completionQueue();
        for (int i = 0; i < MemoryEndpoint.DEPTH; i++) {
            receiver.postReceive(0, received, 0, MESSAGE_BYTES);
        }
    }

    @Benchmark
    public int message() {
        if (sender.send(sent, 0, MESSAGE_BYTES, false) != QueuePair.POSTED || !arrivals.poll(completion)) {
            throw new IllegalStateException("ring: message lost");
        }
        receiver.postReceive(0, received, 0, MESSAGE_BYTES);
        return completion.byteLength;
    }

    /** What a spinning thread repeats. */
    @Benchmark
    public boolean lookInVain() {
        return arrivals.isEmpty();
    }
}
