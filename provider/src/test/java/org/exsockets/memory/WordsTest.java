package org.exsockets.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

    static Stream<WordAccess> ways() {
        return Stream.of(WordAccess.find(), new HandleWords());
    }

    private static ByteBuffer memory() {
        return ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
    }

    @Test
    void theFastWayIsTakenWhereTheJdkIsOpen() {
        // As it is to these tests, and by the agent.
        assertEquals("UnsafeWords", WordAccess.find().getClass().getSimpleName());
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatIsStoredIsLoadedInAllOrders(WordAccess words) {
        ByteBuffer memory = memory();
        words.intPlain(memory, 4, 1);
        words.intRelease(memory, 8, 2);
        words.intVolatile(memory, 12, 3);
        assertEquals(1, words.intVolatile(memory, 4));
        assertEquals(2, words.intAcquire(memory, 8));
        assertEquals(3, words.intPlain(memory, 12));
        words.longPlain(memory, 16, -1);
        words.longRelease(memory, 24, -2);
        words.longVolatile(memory, BYTES - Long.BYTES, -3);
        assertEquals(-1, words.longVolatile(memory, 16));
        assertEquals(-2, words.longAcquire(memory, 24));
        assertEquals(-3, words.longPlain(memory, BYTES - Long.BYTES));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void wordsAreInNativeOrderWhereTheBufferBegins(WordAccess words) {
        ByteBuffer slice = memory().position(16).slice().order(ByteOrder.nativeOrder());
        words.longPlain(slice, 8, 0x0102030405060708L);
        words.intPlain(slice, 4, 0x0a0b0c0d);
        assertEquals(0x0102030405060708L, slice.getLong(8));
        assertEquals(0x0a0b0c0d, slice.getInt(4));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anExchangeTellsWhatWasThere(WordAccess words) {
        ByteBuffer memory = memory();
        assertEquals(0, words.intCompareAndExchange(memory, 8, 0, 5));
        assertEquals(5, words.intCompareAndExchange(memory, 8, 0, 6));
        assertEquals(5, words.intPlain(memory, 8));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void noWordLiesOutside(WordAccess words) {
        ByteBuffer memory = memory().limit(BYTES - 8);
        for (int offset : new int[] {BYTES - 8, BYTES, -8, Integer.MIN_VALUE, Integer.MAX_VALUE - 7}) {
            assertThrows(IndexOutOfBoundsException.class, () -> words.longVolatile(memory, offset), "" + offset);
            assertThrows(IndexOutOfBoundsException.class, () -> words.intPlain(memory, offset, 1), "" + offset);
        }
        assertThrows(IndexOutOfBoundsException.class, () -> words.longPlain(memory, BYTES - 12));
    }

    @Test
    void memoryOfTheHeapHasNoAddress() {
        WordAccess words = WordAccess.find();
        assertThrows(IndexOutOfBoundsException.class, () -> words.longVolatile(ByteBuffer.allocate(BYTES), 8));
    }
}
