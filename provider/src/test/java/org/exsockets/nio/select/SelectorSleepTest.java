package org.exsockets.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.nio.select.SelectorParts.Source;
import org.exsockets.verbs.SleepSign.Place;
import org.exsockets.waiting.VirtualThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a selection sleeps, and that whatever it is to see ends the sleep, or prevents it. */
class SelectorSleepTest {
    private static final long LONG_NS = Long.MAX_VALUE;

    private final SelectorParts parts = new SelectorParts();
    private final SleepSignInMemory sign = new SleepSignInMemory();
    private final AtomicBoolean wakeup = new AtomicBoolean();
    private final SelectorSleep sleeping =
            new SelectorSleep(parts.inner, key -> {}, wakeup, parts.registrations, parts.signs, parts.loop);

    private Source source(boolean onWord, boolean signed) {
        Source source = parts.new Source("a");
        source.onWord = onWord;
        source.sign = signed ? sign : null;
        return source;
    }

    private ExsKey takenIn(Source source) throws IOException {
        ExsKey key = parts.register(source);
        parts.registrations.takeInAsked();
        parts.takeLog();
        return key;
    }

    private boolean sleep(Place place) throws IOException {
        return sleeping.sleep(place == Place.WORD, LONG_NS);
    }

    private int sleeps(Place place) {
        return place == Place.WORD ? sign.sleeps : parts.log.contains("select") ? 1 : 0;
    }

    private int wakeUps(Place place) {
        return place == Place.WORD ? sign.wakeUps : parts.inner.wakeUps;
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // wakes on the word, has a sign, which peers can be told of: where, all are in the inner selector
                "false, false, true,  -,        true",
                "false, true,  true,  CHANNELS, true",
                "false, true,  false, -,        true",
                "true,  true,  true,  WORD,     false",
                "true,  true,  false, -,        true",
                "true,  false, true,  -,        true",
            })
    void aSelectionSleepsWhereItsPeersWakeIt(
            boolean onWord, boolean signed, boolean works, Place place, boolean inInner) throws IOException {
        sign.works = works;
        takenIn(source(onWord, signed));
        assertEquals(place, sleeping.announce());
        assertEquals(inInner && onWord, parts.log.contains("update a"), "the others are there already");
        if (place != null) {
            assertEquals(place, sign.place);
        }
        assertEquals(signed && !works, sign.closed);
        assertEquals(place != null, parts.signs.open(), "no other sign is opened behind one that does not work");
    }

    /** futex(2) would keep its carrier. */
    @Test
    void aVirtualThreadSleepsInTheInnerSelector() throws Exception {
        assumeTrue(VirtualThreads.supported(), "virtual threads come with JDK 21");
        takenIn(source(true, true));
        FutureTask<Place> turned = new FutureTask<>(sleeping::announce);
        VirtualThreads.start(turned);
        assertEquals(Place.CHANNELS, turned.get());
        assertTrue(parts.log.contains("update a"), "nobody wakes it on the word");
        assertEquals(Place.WORD, sleeping.announce(), "a platform thread may select next");
    }

    @Test
    void beforeASleepOnTheWordItIsLookedForWhatTheWordDoesNotTell() throws IOException {
        takenIn(source(true, true));
        Source listener = parts.new Source("listener");
        takenIn(listener.onWord().inInner());
        assertEquals(Place.WORD, sleeping.announce());
        assertEquals(List.of("look at a", "watch listener"), parts.takeLog());
    }

    @ParameterizedTest
    @CsvSource({
        // what there is, where the sleep is to be
        "wake-up, WORD",
        "wake-up, CHANNELS",
        "change,  WORD",
        "change,  CHANNELS",
        "cell,    WORD",
        "cell,    CHANNELS",
    })
    void whatCameBeforePreventsTheSleep(String what, Place place) throws IOException {
        ExsKey key = takenIn(source(place == Place.WORD, true));
        assertEquals(place, sleeping.announce());
        switch (what) {
            case "wake-up" -> wakeup.set(true);
            case "change" -> parts.registrations.change(key);
            default -> sign.news = true;
        }
        sleep(place);
        assertEquals(0, sleeps(place));
    }

    @ParameterizedTest
    @CsvSource({"WORD", "CHANNELS"})
    void whoWakesItWhileItSleepsWakesItThere(Place place) throws IOException {
        takenIn(source(place == Place.WORD, true));
        assertEquals(place, sleeping.announce());
        sleeping.wake();
        assertEquals(0, wakeUps(place), "it does not sleep yet, and will look");
        parts.inner.onSelect = sleeping::wake;
        sign.onSleep = sleeping::wake;
        sleep(place);
        assertEquals(1, sleeps(place));
        assertEquals(1, wakeUps(place));
        sleeping.wake();
        assertEquals(1, wakeUps(place), "a late one would end a later sleep");
    }

    @Test
    void aSleepThatFailsIsOver() throws IOException {
        takenIn(source(false, true));
        parts.inner.failure = new IOException("no memory");
        assertThrows(IOException.class, () -> sleep(Place.CHANNELS));
        sleeping.wake();
        assertEquals(0, parts.inner.wakeUps);
    }

    @ParameterizedTest
    @CsvSource({
        // what the inner selector reports, nanoseconds left: whether it has reported something
        "1, 2000000, true",
        "0, 2000000, false",
    })
    void theSleepInTheInnerSelectorTellsWhetherThatHasReportedSomething(int ready, long leftNs, boolean told)
            throws IOException {
        takenIn(source(false, true));
        parts.inner.ready = ready;
        assertEquals(told, sleeping.sleep(false, leftNs));
    }

    /** Cut short to look for cells that were overwritten, it says nothing of descriptors. */
    @Test
    void theSilenceOfASleepThatWasCutShortProvesNothing() throws IOException {
        takenIn(source(false, true));
        assertEquals(Place.CHANNELS, sleeping.announce());
        assertTrue(sleep(Place.CHANNELS));
        assertTrue(parts.inner.timeoutMs > 0, "it looks at lost cells again");
    }

    @Test
    void withoutASignTheSleepIsAsLongAsTheProgramHasIt() throws IOException {
        takenIn(source(false, false));
        assertFalse(sleep(Place.CHANNELS));
        assertEquals(0, parts.inner.timeoutMs, "for ever");
        sleeping.sleep(false, 1);
        assertEquals(1, parts.inner.timeoutMs, "0 would be for ever");
        sleeping.sleep(false, 1_000_001);
        assertEquals(2, parts.inner.timeoutMs, "not before its time is over");
    }

    @Test
    void aSleepOnTheWordEndsInTimeToHavePeersWatched() throws IOException {
        takenIn(source(true, true));
        assertEquals(Place.WORD, sleeping.announce());
        parts.takeLog();
        assertTrue(sleep(Place.WORD), "the inner selector was not asked");
        assertTrue(sign.timeoutNs < LONG_NS);
        while (parts.registrations.unwatchedNs(System.nanoTime()) > 0) {
            Thread.onSpinWait();
        }
        sleep(Place.WORD);
        assertEquals(List.of("watch a"), parts.takeLog());
    }

    /** The word is memory that may be another selector's then. */
    @Test
    void behindTheEndOfTheSelectorNobodyTouchesTheWord() throws IOException {
        takenIn(source(true, true));
        assertEquals(Place.WORD, sleeping.announce());
        sign.onSleep = () -> {
            sleeping.close();
            sleeping.wake();
        };
        sleep(Place.WORD);
        assertEquals(0, sign.wakeUps);
    }
}
