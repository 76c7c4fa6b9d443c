package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.WorkRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who polls several completion queues shows one sign on all of them. */
class SleepSignTest extends SoftFixture {
    private static final int SIGN_OF_B_OFFSET = 512 + 8;

    @Test
    void aCompletionGivesAnEventOnlyWhileTheSignSaysAsleep() throws Exception {
        Pair pair = connect();
        SleepSign sign = show(pair.b());
        send(pair.a());
        assertEvents(0, pair.b());
        assertTrue(sign.asleep());
        assertEvents(0, pair.b());
        send(pair.a());
        assertEvents(1, pair.b());
        sign.awake();
        send(pair.a());
        assertEvents(0, pair.b());
    }

    @Test
    void onlyTheFirstCompletionOfASleepGivesAnEvent() throws Exception {
        Pair one = connect();
        Pair other = connect();
        SleepSign sign = show(one.b());
        assertTrue(queue(other.b()).show(sign));
        for (int sleep = 0; sleep < 3; sleep++) {
            postReceive(other.b(), sleep);
            sign.asleep();
            send(one.a());
            send(other.a());
            send(one.a());
            assertEvents(1, one.b());
            assertEvents(0, other.b());
            sign.awake();
            assertEquals(sleep, poll(other.b()).wrId, "it is there all the same");
        }
    }

    @Test
    void bothEndsShowSigns() throws Exception {
        Pair pair = connect();
        SleepSign a = show(pair.a());
        SleepSign b = show(pair.b());
        a.asleep();
        send(pair.a());
        assertEvents(0, pair.b());
        send(pair.b());
        assertEvents(1, pair.a());
        b.asleep();
        send(pair.a());
        assertEvents(1, pair.b());
    }

    @Test
    void aNotificationThatWasAskedForComesToo() throws Exception {
        Pair one = connect();
        Pair other = connect();
        SleepSign sign = show(one.b());
        queue(other.b()).show(sign);
        queue(other.b()).requestNotification();
        sign.asleep();
        send(one.a());
        assertEvents(1, one.b());
        send(other.a());
        assertEvents(1, other.b());
    }

    @Test
    void theSignThatIsShownFirstStaysUntilItIsHidden() throws Exception {
        Pair pair = connect();
        SleepSign first = show(pair.b());
        SleepSign second = queue(pair.b()).openSleepSign();
        assertFalse(queue(pair.b()).show(second));
        queue(pair.b()).hide(second);
        assertTrue(queue(pair.b()).show(first));
        second.asleep();
        send(pair.a());
        assertEvents(0, pair.b());
        queue(pair.b()).hide(first);
        assertTrue(queue(pair.b()).show(second));
        send(pair.a());
        assertEvents(1, pair.b());
    }

    @Test
    void aHiddenSignIsNotLookedAt() throws Exception {
        Pair pair = connect();
        SleepSign sign = show(pair.b());
        sign.asleep();
        queue(pair.b()).hide(sign);
        send(pair.a());
        assertEvents(0, pair.b());
    }

    @Test
    void anEventOnAConnectionThatIsNotWaitedForAnyMoreStandsForNoOther() throws Exception {
        Pair one = connect();
        Pair other = connect();
        SleepSign sign = show(one.b());
        assertTrue(queue(other.b()).show(sign));
        queue(one.b()).hide(sign);
        sign.asleep();
        ((SoftEndpoint) one.a()).signs().wakePeer(1); // Has looked for the sign before it was hidden.
        assertEvents(1, one.b());
        send(other.a());
        assertEvents(1, other.b());
    }

    @Test
    void whoTakesASignOverIsNotTakenForTheSleeperBefore() throws Exception {
        Pair pair = connect();
        SleepSign before = show(pair.b());
        before.asleep();
        send(pair.a());
        assertEvents(1, pair.b());
        queue(pair.b()).hide(before);
        before.close();
        SleepSign now = show(pair.b());
        send(pair.a());
        assertEvents(0, pair.b());
        now.asleep();
        send(pair.a());
        assertEvents(1, pair.b());
    }

    @Test
    void thereAreSoManySigns() throws Exception {
        CompletionQueue queue = queue(connect().b());
        List<SleepSign> all = new ArrayList<>();
        for (SleepSign sign; (sign = queue.openSleepSign()) != null; ) {
            all.add(sign);
        }
        assertEquals(SleepSignDescriptor.SIGNS, all.size());
        all.get(7).close();
        assertNotNull(queue.openSleepSign());
        assertNull(queue.openSleepSign());
    }

    @Test
    void theSecondDeviceOfAProcessHasNoneAndTheNameGoesWithTheFirst() throws Exception {
        show(connect().b());
        assertEquals(1, memory.names("z").size());
        Device second = new SoftDevice(memory.root());
        Endpoint client = ended(second.connect(client(90), address(), PARAMETERS));
        assertNull(queue(client).openSleepSign());
        second.close();
        assertEquals(1, memory.names("z").size());
        device().close();
        assertEquals(List.of(), memory.names("z"));
    }

    @Test
    void whereThereIsNoMemoryThereAreNoSignsAndNothingIsLeft() throws Exception {
        try (SmallFileSystem full = SmallFileSystem.create(memory.root())) {
            SoftDirectory directory = SoftDirectory.open(full.root());
            Path other = Files.write(full.root().resolve("other"), new byte[48 * 1024]);
            SleepSigns signs = new SleepSigns(directory);
            assertNull(signs.open());
            assertFalse(SoftDirectory.exists(directory.ownSigns()));
            Files.delete(other);
            assertNull(signs.open(), "not tried again at once");
            assertNotNull(waitFor(signs::open));
            signs.removeName();
            assertFalse(SoftDirectory.exists(directory.ownSigns()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, SleepSignDescriptor.SIGNS + 1, Integer.MAX_VALUE})
    void forASignThatCannotBeEachCompletionGivesAnEvent(int number) throws Exception {
        Pair pair = connect();
        show(pair.b());
        try (FileChannel segment = FileChannel.open(file("s"), StandardOpenOption.WRITE)) {
            ByteBuffer word = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
            segment.write(word.putInt(0, number), SIGN_OF_B_OFFSET);
        }
        for (int i = 0; i < 2; i++) {
            send(pair.a());
            assertEvents(1, pair.b());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "empty", "a link"})
    void forSignsThatCannotBeReadEachCompletionGivesAnEvent(String what) throws Exception {
        Pair pair = connect();
        show(pair.b());
        Path signs = file("z");
        switch (what) {
            case "missing" -> Files.delete(signs);
            case "empty" -> truncate(signs);
            default ->
                Files.createSymbolicLink(signs, Files.move(signs, memory.root().resolve("elsewhere")));
        }
        for (int i = 0; i < 2; i++) {
            send(pair.a());
            assertEvents(1, pair.b());
        }
    }

    private static SleepSign show(Endpoint end) {
        SleepSign sign = queue(end).openSleepSign();
        assertTrue(queue(end).show(sign));
        return sign;
    }

    private static CompletionQueue queue(Endpoint end) {
        return end.queuePair().completionQueue();
    }

    private static void send(Endpoint from) {
        post(from, new WorkRequest().send(ByteBuffer.allocate(0), 0, 0));
    }

    /** A doorbell is a byte: that there were not more is seen one by one. */
    private static void assertEvents(int expected, Endpoint end) {
        assertEquals(
                expected == 0 ? 0 : CompletionChannel.EVENT,
                end.queuePair().completionChannel().drain());
    }

    private Path file(String letter) throws IOException {
        return memory.directory().resolve(memory.names(letter).get(0));
    }

    private static void truncate(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }
}
