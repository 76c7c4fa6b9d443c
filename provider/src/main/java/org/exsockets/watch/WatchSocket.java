package org.exsockets.watch;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.exsockets.connection.LiveConnections;
import org.exsockets.connection.LiveConnections.Live;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Described;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.AcceptSources;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.UnixSockets;
import org.exsockets.waiting.ProgressThread;

/**
 * Where a process can be asked for its connections: an abstract socket, named {@value #PREFIX} and a random number, in
 * its network namespace. Whoever connects, and is the same user or root, is passed memory with a {@link Report}, and the
 * connection ends: nothing is read from him, and nobody waits for him to read. Others are turned away. One is answered
 * at a time, by a thread that lives for it; the next one is looked at two milliseconds later at the earliest.
 *
 * <p>Opened once, by the background thread, a second after the first listener or connection: short programs never do.
 */
public final class WatchSocket implements BooleanSupplier {
    static final String PREFIX = "exs/ss/";

    /** Root may ask everybody. */
    static final int ROOT = 0;

    private static final String THREAD = "exs-ss";
    private static final int BACKLOG = 16;

    /** Of a report: for the process, and for each line beside. */
    private static final int PROCESS_BYTES = 16 << 10;

    private static final int LINE_BYTES = 1 << 10;

    private final Runnable onAsked = new Runnable() {
        @Override
        public void run() {
            answerNext();
        }
    };

    private final long[] peer = new long[1];

    @SuppressWarnings("NullAway.Init") // Opened before anything else.
    private LocalSocket socket;

    /** Background thread. {@return false: this is done once} */
    @Override
    public boolean getAsBoolean() {
        try {
            long[] number = new long[1];
            if (DescriptorPoll.require() && NativeMemory.random(number)) {
                String name = PREFIX + Long.toHexString(number[0]);
                socket = LocalSocket.listen(name.getBytes(StandardCharsets.US_ASCII), BACKLOG);
                await();
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            Log.debug("ss: this process cannot be watched", e);
        }
        return false;
    }

    private void await() throws IOException {
        ProgressThread.get().watch(socket.selectable(), SelectionKey.OP_READ, onAsked);
    }

    /** Background thread. */
    private void answerNext() {
        try {
            LocalSocket asker = socket.accept(peer);
            if (asker == null) {
                await();
                return;
            }
            int user = (int) (peer[0] >>> Integer.SIZE);
            if (user != ROOT && user != UnixSockets.effectiveUser()) {
                asker.turnAway();
                again();
                return;
            }
            Threads.daemon(THREAD, new Runnable() {
                        @Override
                        public void run() {
                            try {
                                answer(asker);
                            } finally {
                                asker.close();
                                again();
                            }
                        }
                    })
                    .start();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            Log.debug("ss: a question is not answered", e);
            again();
        }
    }

    private void again() {
        ProgressThread.trySubmitLater(new Runnable() {
            @Override
            public void run() {
                try {
                    await();
                } catch (IOException e) {
                    Log.debug("ss: this process cannot be watched any more: " + e);
                }
            }
        });
    }

    private static void answer(LocalSocket asker) {
        List<Live> connections = LiveConnections.all();
        List<Described> listeners = AcceptSources.live();
        int lengthBytes = PROCESS_BYTES + LINE_BYTES * (connections.size() + listeners.size());
        try {
            SharedMemory memory = SharedMemory.create(lengthBytes);
            try {
                write(new Report(memory.memory()), connections, listeners);
                byte[] length = Integer.toString(lengthBytes).getBytes(StandardCharsets.US_ASCII);
                asker.send(length, memory.descriptor(), -1);
            } finally {
                memory.unmap();
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            Log.debug("ss: a question is not answered", e);
        }
    }

    static void write(Report report, List<? extends Described> connections, List<? extends Described> listeners) {
        report.begin(Report.PROCESS);
        OwnDescription.put(report);
        report.end();
        write(report, Report.LISTENER, listeners);
        write(report, Report.CONNECTION, connections);
    }

    private static void write(Report report, String kind, List<? extends Described> all) {
        for (Described each : all) {
            report.begin(kind);
            each.describe(report);
            if (!report.end()) {
                return;
            }
        }
    }
}
