package org.exsockets.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both ways to get at words do the same, and neither leaves its memory. */
class WordsTest {
    private static final int BYTES = 64;

    static Stream<Words> ways() {
        Words.of(memory()); // As the product begins: who finds UnsafeWords while it is being made, does without it.
        return Stream.of(Words.first(), new HandleWords(memory()));
    }

    private static ByteBuffer memory() {
        return ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
    }

    @Test
    void theFastWayIsTakenWhereTheJdkIsOpen() {
        // As it is to these tests, and by the agent.
        ByteBuffer memory = memory();
        Words words = Words.of(memory);
        assertEquals("UnsafeWords", words.getClass().getSimpleName());
        assertSame(memory, words.memory());
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatIsStoredIsLoadedInAllOrders(Words way) {
        Words words = way.over(memory());
        words.intPlain(4, 1);
        words.intRelease(8, 2);
        assertEquals(1, words.intAcquire(4));
        assertEquals(2, words.intPlain(8));
        words.longPlain(16, -1);
        words.longRelease(BYTES - Long.BYTES, -2);
        assertEquals(-1, words.longAcquire(16));
        assertEquals(-2, words.longPlain(BYTES - Long.BYTES));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void wordsAreInNativeOrderWhereTheBufferBegins(Words way) {
        ByteBuffer slice = memory().position(16).slice().order(ByteOrder.nativeOrder());
        Words words = way.over(slice);
        words.longPlain(8, 0x0102030405060708L);
        words.intPlain(4, 0x0a0b0c0d);
        assertEquals(0x0102030405060708L, slice.getLong(8));
        assertEquals(0x0a0b0c0d, slice.getInt(4));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anExchangeTellsWhatWasThere(Words way) {
        Words words = way.over(memory());
        assertEquals(0, words.intCompareAndExchange(8, 0, 5));
        assertEquals(5, words.intCompareAndExchange(8, 0, 6));
        assertEquals(5, words.intPlain(8));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void noWordLiesOutside(Words way) {
        ByteBuffer memory = memory().limit(BYTES - 8);
        Words words = way.over(memory);
        memory.limit(BYTES); // Which comes too late.
        for (int offset : new int[] {BYTES - 8, BYTES, -8, Integer.MIN_VALUE, Integer.MAX_VALUE - 7}) {
            assertThrows(IndexOutOfBoundsException.class, () -> words.longAcquire(offset), "" + offset);
            assertThrows(IndexOutOfBoundsException.class, () -> words.intPlain(offset, 1), "" + offset);
            assertThrows(IndexOutOfBoundsException.class, () -> words.intCompareAndExchange(offset, 0, 1), "" + offset);
        }
        assertThrows(IndexOutOfBoundsException.class, () -> words.longPlain(BYTES - 12));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> way.over(memory().limit(4)).longPlain(0));
    }

    @Test
    void memoryOfTheHeapHasNoAddress() {
        assertThrows(IllegalArgumentException.class, () -> Words.of(ByteBuffer.allocate(BYTES)));
    }
}
