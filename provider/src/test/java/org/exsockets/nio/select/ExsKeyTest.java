package org.exsockets.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExsKeyTest {
    private static final int READ = SelectionKey.OP_READ;
    private static final int WRITE = SelectionKey.OP_WRITE;

    private Keys keys;
    private ExsKey key;

    @BeforeEach
    void openKey() throws Exception {
        keys = new Keys();
        key = keys.key(READ);
    }

    @AfterEach
    void close() throws Exception {
        keys.close();
    }

    @Test
    void aFreshKeyIsInterestedInWhatItWasRegisteredForAndReadyForNothing() {
        assertTrue(key.isValid());
        assertEquals(READ, key.interestOps());
        assertEquals(0, key.readyOps());
        assertSame(keys.selector(), key.selector());
        assertSame(keys.channel(), key.channel());
        assertEquals(-1, key.place());
        assertEquals(-1, key.selectedIndex);
    }

    @ParameterizedTest
    @CsvSource({
        // before, or, and, afterwards (READ 1, WRITE 4, CONNECT 8)
        "0,  0,  -1, 0",
        "0,  1,  -1, 1",
        "1,  4,  -1, 5",
        "5,  8,  -1, 13",
        "13, 0,  1,  1",
        "13, 0,  -5, 9",
        "13, 0,  0,  0",
        "1,  0,  16, 0",
        "1,  0,  17, 1"
    })
    void interestIsSetAndClearedBitByBit(int before, int or, int and, int afterwards) {
        assertSame(key, key.interestOps(before));
        int returned = or != 0 ? key.interestOpsOr(or) : key.interestOpsAnd(and);
        assertEquals(before, returned);
        assertEquals(afterwards, key.interestOps());
        assertEquals(afterwards, key.interestOps);
    }

    @ParameterizedTest
    @ValueSource(ints = {SelectionKey.OP_ACCEPT, 2, 32, -1, Integer.MIN_VALUE})
    void operationsTheChannelDoesNotHaveAreRefused(int ops) {
        assertThrows(IllegalArgumentException.class, () -> key.interestOps(ops));
        assertThrows(IllegalArgumentException.class, () -> key.interestOpsOr(ops));
        assertEquals(READ, key.interestOps());
    }

    @Test
    void aCancelledKeyRefusesEveryQuestionButWhoItIs() {
        key.cancel();
        assertFalse(key.isValid());
        assertThrows(CancelledKeyException.class, key::interestOps);
        assertThrows(CancelledKeyException.class, () -> key.interestOps(WRITE));
        assertThrows(CancelledKeyException.class, () -> key.interestOpsOr(WRITE));
        assertThrows(CancelledKeyException.class, () -> key.interestOpsAnd(0));
        assertThrows(CancelledKeyException.class, () -> key.interestOps(-1));
        assertThrows(CancelledKeyException.class, key::readyOps);
        assertThrows(CancelledKeyException.class, key::isReadable);
        assertSame(keys.selector(), key.selector());
        assertSame(keys.channel(), key.channel());
        assertEquals(READ, key.interestOps);
        assertEquals(0, key.readyOps);
        assertTrue(key.toString().endsWith(", invalid"), key.toString());
        key.cancel();
    }

    @Test
    void onlyARealChangeOfInterestIsAChange() {
        key.changed = false;
        key.interestOps(READ);
        assertFalse(key.changed, "setting the same interest marked it");
        key.interestOps(WRITE);
        assertTrue(key.changed, "another interest did not mark it");
    }

    @Test
    void attachmentsAreExchanged() {
        Object one = new Object();
        assertEquals(null, key.attach(one));
        assertSame(one, key.attach(null));
    }

    @Test
    void twoThreadsSettingDifferentBitsLoseNone() throws Exception {
        for (int round = 0; round < 500; round++) {
            key.interestOps(0);
            Thread other = new Thread(() -> key.interestOpsOr(WRITE));
            other.start();
            key.interestOpsOr(READ);
            other.join();
            assertEquals(READ | WRITE, key.interestOps());
        }
    }
}
