package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.SleepSign.Place;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.meet.SoftFixture;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.OwnSign;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a peer wakes whoever shows it a sign, in each state of that; SleepSignTest has the signs of whole connections. */
class EndpointSignsTest extends SoftFixture {
    private EndpointSigns waker;
    private EndpointSigns sleeper;
    private CompletionChannel channel;
    private OwnSign sign;
    private int cell;

    @BeforeEach
    void showASign() throws IOException {
        Pair pair = connect();
        waker = ((SoftEndpoint) pair.a()).signs;
        sleeper = ((SoftEndpoint) pair.b()).signs;
        channel = pair.b().queuePair().completionChannel();
        channel.drain();
        sign = (OwnSign) sleeper.open();
        cell = sign.openCell();
        assertTrue(sleeper.show(sign, cell, false));
    }

    private void wake(boolean sets, boolean end) {
        waker.wakePeer(SegmentDescriptor.sign(sign.number(), sign.cellOfAll(cell), sets), end);
    }

    /** @param state a Place, or AWAKE */
    private void turn(String state) {
        if (state.equals("AWAKE")) {
            sign.awake();
        } else {
            assertTrue(sign.asleep(Place.valueOf(state)));
        }
    }

    private boolean isCellSet() {
        List<Integer> cells = new ArrayList<>();
        if (sign.hasNews()) {
            sign.takeNews(cells::add);
            assertEquals(List.of(cell), cells);
        }
        return !cells.isEmpty();
    }

    /** {@return whether a thread on the word is woken; it is armed} */
    private boolean wakesOnWord() {
        return sign.word().sleep(1);
    }

    @ParameterizedTest
    @CsvSource({
        // state of the sign, sets, at the end of the connection: event, word woken, cell set
        "AWAKE,    false, false, false, false, false",
        "AWAKE,    false, true,  false, false, true",
        "AWAKE,    true,  false, false, false, true",
        "AWAKE,    true,  true,  false, false, true",
        "CHANNELS, false, false, true,  false, false",
        "CHANNELS, false, true,  true,  false, true",
        "CHANNELS, true,  false, true,  false, true",
        "CHANNELS, true,  true,  true,  false, true",
        "WORD,     false, false, false, true,  false",
        "WORD,     false, true,  false, true,  true",
        "WORD,     true,  false, false, true,  true",
        "WORD,     true,  true,  false, true,  true",
    })
    void whoeverSleepsIsWokenWhereItSleepsAndOnceInEachSleep(
            String state, boolean sets, boolean end, boolean event, boolean word, boolean set) {
        for (int sleep = 0; sleep < 2; sleep++) {
            turn(state);
            wake(sets, end);
            assertEquals(event ? CompletionChannel.EVENT : 0, channel.drain());
            assertEquals(set, isCellSet());
            if (state.equals("WORD")) {
                assertEquals(word, wakesOnWord());
                sign.word().arm();
            }
            wake(sets, end);
            assertEquals(0, channel.drain(), "it has been woken");
            assertEquals(set, isCellSet(), "it looks again");
            assertFalse(state.equals("WORD") && wakesOnWord(), "it has been woken");
        }
    }

    /** Between its looks at the segment and at the sign a waker may have been preempted until a later sleep. */
    @ParameterizedTest
    @CsvSource({
        // where the sleep is, event, whether it is over: all that a peer of a sleeper on channels wakes is its channel
        "CHANNELS, true,  false",
        "WORD,     false, true",
    })
    void whoWakesForAHiddenSignEndsNoSleepThatDoesNotWaitForIt(Place place, boolean event, boolean over)
            throws IOException {
        EndpointSigns another = anotherWaker();
        sleeper.hide(sign);
        assertTrue(sign.asleep(place));
        wake(false, false);
        assertEquals(event ? CompletionChannel.EVENT : 0, channel.drain());
        if (place == Place.WORD) {
            assertTrue(wakesOnWord());
            sign.word().arm();
        }
        another.wakePeer(SegmentDescriptor.sign(sign.number(), sign.cellOfAll(cell), false), false);
        boolean woken = place == Place.WORD ? wakesOnWord() : otherChannel.drain() != 0;
        assertEquals(over, !woken);
    }

    private CompletionChannel otherChannel;

    /** {@return the waker of another connection between the same processes, which shows the sign} */
    private EndpointSigns anotherWaker() throws IOException {
        Pair other = connect();
        otherChannel = other.b().queuePair().completionChannel();
        otherChannel.drain();
        assertTrue(((SoftEndpoint) other.b()).signs.show(sign, cell, false));
        return ((SoftEndpoint) other.a()).signs;
    }

    @Test
    void aSignOfAnotherDeviceIsNotShown() {
        sleeper.hide(sign);
        SleepSign foreign = (SleepSign) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {SleepSign.class}, (proxy, method, arguments) -> null);
        assertFalse(sleeper.show(foreign, 0, false));
        assertTrue(sleeper.show(sign, cell, false), "there is room for one");
    }

    @Test
    void anEndWithoutSignsShowsNone() throws IOException {
        SoftEndpoint end = (SoftEndpoint) connect().b();
        Doorbell doorbell = (Doorbell) end.queuePair().completionChannel();
        EndpointSigns without = new EndpointSigns(null, end.segment, false, doorbell);
        assertNull(without.open());
        assertFalse(without.show(sign, cell, false));
    }
}
