package org.exsockets.compat.scribble;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.exsockets.compat.harness.SharedMappings;
import org.exsockets.compat.harness.SharedMappings.Mapping;

/**
 * Talks to an {@link EchoServer}, and meanwhile writes at random over all that it shares with it, until it is killed. Or it stops after some time,
 * and lives on: then it has only written over what wakes threads and tells of messages, not over messages and bytes, and its clients wait for ever.
 */
public final class Scribbler {
    private static final int CLIENTS = 3;
    private static final int PATIENCE_MS = 100;

    /** Control blocks and arrival slots of a segment: what its peer believes. */
    private static final int CONTROL_BYTES = 36 << 10;

    /** Where the slots begin in a segment, how long each is, and how many there are; the first word is its header. */
    private static final int SLOTS = 4 << 10;

    private static final int SLOT_BYTES = 64;
    private static final int SLOT_COUNT = 512;

    /** Control blocks and windows, before the slots. */
    private static final int WORDS = 128;

    private static final int WORDS_BYTES = 2 << 10;

    /** What a process tells its peers of itself is shorter than any segment. */
    private static final int SEGMENT_BYTES = 256 << 10;

    private final SharedMappings memory = new SharedMappings();
    private final Random random;

    /** It stops and lives on. */
    private final boolean stops;

    private Scribbler(long seed, boolean stops) throws IOException {
        this.random = new Random(seed);
        this.stops = stops;
    }

    /** @param args port, seed; milliseconds to scribble: without, it does so until it is killed */
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        boolean stops = args.length > 2;
        List<Client> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Client client = new Client(port, stops ? 0 : PATIENCE_MS, seed + i);
            Thread thread = new Thread(client, "client");
            thread.setDaemon(true);
            thread.start();
            clients.add(client);
            threads.add(thread);
        }
        new Scribbler(seed, stops).scribbleFor(stops ? Long.parseLong(args[2]) : Long.MAX_VALUE);
        clients.forEach(Client::end);
        System.out.println("stopped scribbling");
        long wrong = 0;
        for (int i = 0; i < CLIENTS; i++) {
            threads.get(i).join();
            wrong += clients.get(i).wrong().lines().count();
        }
        System.out.println("returned " + wrong);
        System.in.read();
    }

    private void scribbleFor(long lifeMs) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        while ((System.nanoTime() - startNs) / 1_000_000 < lifeMs) {
            List<Mapping> mappings = SharedMappings.find();
            if (stops) {
                mappings.removeIf(each -> each.lengthBytes() < SEGMENT_BYTES);
            }
            scribble(mappings);
            Thread.sleep(random.nextInt(2));
        }
    }

    private void scribble(List<Mapping> mappings) {
        for (int i = 0; i < 20 && !mappings.isEmpty(); i++) {
            Mapping in = mappings.get(random.nextInt(mappings.size()));
            long at = in.address() + (stops ? word(in) : anywhere(in));
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

    private long anywhere(Mapping in) {
        long most = random.nextInt(3) > 0 ? Math.min(CONTROL_BYTES, in.lengthBytes()) : in.lengthBytes();
        return (long) (random.nextDouble() * (most / Long.BYTES)) * Long.BYTES;
    }

    private long word(Mapping in) {
        return random.nextBoolean()
                ? WORDS + (long) random.nextInt((WORDS_BYTES - WORDS) / Long.BYTES) * Long.BYTES
                : SLOTS + (long) random.nextInt(SLOT_COUNT) * SLOT_BYTES;
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
