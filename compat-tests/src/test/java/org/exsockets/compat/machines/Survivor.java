package org.exsockets.compat.machines;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of a connection that outlives its peer: one thread writes without end and one waits in read for what never
 * comes. After the fault both calls must fail as those of a TCP socket would, in time.
 */
final class Survivor {
    private Survivor() {}

    /**
     * Connects, and waits for the fault and what comes of it.
     *
     * @param arguments the address, the port, a directory in which the file {@code struck} tells that the fault has
     *     happened, the seconds that the calls may take from then on, and the messages of exceptions that are right
     */
    public static void main(String[] arguments) throws Exception {
        Path signs = Path.of(arguments[2]);
        int seconds = Integer.parseInt(arguments[3]);
        List<String> expected = List.of(arguments).subList(4, arguments.length);
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])))) {
            FutureTask<String> write = Exchange.start("write", () -> {
                ByteBuffer buffer = ByteBuffer.allocate(256 * 1024);
                while (true) {
                    channel.write(buffer.clear());
                }
            });
            FutureTask<String> read =
                    Exchange.start("read", () -> "returned " + channel.read(ByteBuffer.allocate(100)));
            while (!Files.exists(signs.resolve("struck"))) {
                if (write.isDone() || read.isDone()) {
                    // The fault can be faster than its sign; what it did is checked all the same.
                    break;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
            long startNs = System.nanoTime();
            String written = outcome("write", write, startNs, seconds);
            String came = outcome("read", read, startNs, seconds);
            // TCP tells a reset once: who reads after the writer was told finds the end of the stream.
            boolean told = expected.contains(came) || came.equals("returned -1") && !written.equals("Broken pipe");
            if (!expected.contains(written) || !told) {
                System.exit(1);
            }
        }
    }

    private static String outcome(String name, FutureTask<String> call, long startNs, int seconds) throws Exception {
        long leftNs = startNs + TimeUnit.SECONDS.toNanos(seconds) - System.nanoTime();
        String outcome;
        try {
            outcome = call.get(leftNs, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            outcome = "still inside";
        }
        System.out.printf("%s: %s after %.1f s%n", name, outcome, (System.nanoTime() - startNs) / 1e9);
        return outcome;
    }
}
