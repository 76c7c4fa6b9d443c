package org.exsockets.compat.scribble;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.exsockets.compat.harness.SharedMappings;
import org.exsockets.compat.harness.SharedMappings.Mapping;

/** Talks to an {@link EchoServer}, and meanwhile writes at random over all that it shares with it, until it is killed. */
public final class Scribbler {
    private static final int CLIENTS = 3;
    private static final int PATIENCE_MS = 100;

    /** Control blocks and arrival slots of a segment: what its peer believes. */
    private static final int CONTROL_BYTES = 36 << 10;

    private final SharedMappings memory = new SharedMappings();
    private final Random random;

    private Scribbler(long seed) throws IOException {
        random = new Random(seed);
    }

    /** @param args port, seed */
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        for (int i = 0; i < CLIENTS; i++) {
            Thread client = new Thread(new Client(port, PATIENCE_MS, seed + i), "client");
            client.setDaemon(true);
            client.start();
        }
        Scribbler scribbler = new Scribbler(seed);
        while (true) {
            scribbler.scribble(SharedMappings.find());
            Thread.sleep(scribbler.random.nextInt(2));
        }
    }

    private void scribble(List<Mapping> mappings) {
        for (int i = 0; i < 20 && !mappings.isEmpty(); i++) {
            Mapping in = mappings.get(random.nextInt(mappings.size()));
            long most = random.nextInt(3) > 0 ? Math.min(CONTROL_BYTES, in.lengthBytes()) : in.lengthBytes();
            long at = in.address() + (long) (random.nextDouble() * (most / Long.BYTES)) * Long.BYTES;
            byte[] word = new byte[Long.BYTES];
            try {
                memory.read(at, word);
                change(ByteBuffer.wrap(word).order(ByteOrder.nativeOrder()));
                memory.write(at, word);
            } catch (IOException unmapped) {
                // Since the kernel has listed it.
            }
        }
    }

    private void change(ByteBuffer word) {
        int half = random.nextInt(2) * Integer.BYTES;
        switch (random.nextInt(4)) {
            case 0 -> word.putLong(0, random.nextLong());
            case 1 -> word.putLong(0, word.getLong(0) ^ 1L << random.nextInt(Long.SIZE));
            case 2 -> word.putInt(half, random.nextInt(3) - 1);
            default -> word.putInt(half, word.getInt(half) + random.nextInt(5) - 2);
        }
    }
}
