package org.exsockets.compat.programs.aeron;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Results;

/** A media driver of its own; publishes messages by IPC and by UDP, and receives them. */
public final class AeronMessages {
    private static final int MESSAGES = 2_000;
    private static final int MESSAGE_BYTES = 1_000;
    private static final int STREAM = 10;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(120);

    private AeronMessages() {}

    public static void main(String[] arguments) {
        Driver.work(results -> {
            MediaDriver.Context context = new MediaDriver.Context()
                    .threadingMode(ThreadingMode.SHARED)
                    .aeronDirectoryName(System.getProperty("java.io.tmpdir") + "/aeron")
                    .dirDeleteOnShutdown(true);
            try (MediaDriver driver = MediaDriver.launchEmbedded(context);
                    Aeron aeron = Aeron.connect(
                            new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()))) {
                exchange(aeron, "aeron:ipc", "ipc", results);
                exchange(aeron, "aeron:udp?endpoint=127.0.0.1:0", "udp", results);
            }
        });
    }

    private static void exchange(Aeron aeron, String channel, String name, Results results) {
        try (Subscription subscription = aeron.addSubscription(channel, STREAM)) {
            long startNs = System.nanoTime();
            String resolved = subscription.tryResolveChannelEndpointPort();
            while (resolved == null) {
                inTime(startNs, name + " to have a port");
                resolved = subscription.tryResolveChannelEndpointPort();
            }
            try (Publication publication = aeron.addPublication(resolved, STREAM)) {
                UnsafeBuffer message = new UnsafeBuffer(Content.bytes(STREAM, MESSAGE_BYTES));
                MessageDigest digest = Content.digest();
                int[] received = {0};
                for (int sent = 0; received[0] < MESSAGES; ) {
                    inTime(startNs, name + " to be received");
                    if (sent < MESSAGES) {
                        message.putInt(0, sent);
                        sent += publication.offer(message) > 0 ? 1 : 0;
                    }
                    subscription.poll(
                            (buffer, offset, length, header) -> {
                                byte[] bytes = new byte[length];
                                buffer.getBytes(offset, bytes);
                                digest.update(bytes);
                                received[0]++;
                            },
                            MESSAGES);
                }
                results.put(name, Content.hex(digest));
            }
        }
    }

    private static void inTime(long startNs, String what) {
        Expect.that(System.nanoTime() - startNs < LIMIT_NS, "waited too long for " + what);
    }
}
