package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.host.SpareMemory;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.exsockets.waiting.Turn;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the looks of the background thread do for a writer whose peer's program is in no call. */
class PausingReaderTest {
    private static final int REGION = 256 << 10;
    private static final int FIRST = 4 << 20;
    private static final int SECOND = 8 << 20;
    private static final EndpointParameters PARAMETERS = new EndpointParameters(REGION, FIRST, 256, 1, 1);
    private static final Turn NOW = () -> Wait.NONE;

    private final SharedBudget budget =
            new SharedBudget(new SpareMemory(Long.MAX_VALUE, FIRST + SECOND), Long.MAX_VALUE);

    private ExsConnection writer;
    private ExsConnection reader;

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(budget), PARAMETERS);
        writer = new ExsConnection(ends.connected());
        reader = new ExsConnection(ends.accepted());
        LiveConnections.remove(writer.ending);
        LiveConnections.remove(reader.ending);
    }

    @AfterEach
    void close() {
        writer.close(Close.ABORT);
        reader.close(Close.ABORT);
    }

    private void look() {
        reader.ending.lookForLosses();
        writer.ending.lookForLosses();
    }

    /** Until the reserve has been full for long enough, which may be a good deal longer. */
    private void awaitSlow() throws InterruptedException {
        while (!writer.engine.outgoing.hasSlowReader()) {
            Thread.sleep(1);
        }
    }

    /** {@return bytes written before there was no room} */
    private int fill(int piece) throws Exception {
        ByteBuffer source = ByteBuffer.allocateDirect(piece);
        int written = 0;
        for (int n; (n = writer.write(source.clear(), NOW)) > 0; ) {
            written += n;
        }
        return written;
    }

    private void read(int length) throws Exception {
        ByteBuffer target = ByteBuffer.allocateDirect(length);
        while (target.hasRemaining()) {
            assertTrue(reader.read(target, NOW) > 0);
        }
    }

    private void exchange() throws Exception {
        for (int i = 0; i < 4; i++) {
            writer.write(ByteBuffer.allocate(REGION / 2), NOW);
            read(REGION / 2);
        }
    }

    @Test
    void messagesThatNobodyHandlesAreHandledAtALook() throws Exception {
        while (!writer.engine.outgoing.lacksCredits()) {
            writer.write(ByteBuffer.allocate(1), NOW);
        }
        look();
        writer.progress.progress();
        assertFalse(writer.engine.outgoing.lacksCredits());
    }

    @Test
    void theSecondReserveIsTakenAfterAWhile() throws Exception {
        exchange();
        int ahead = fill(64 << 10);
        assertTrue(ahead <= REGION + FIRST, "ahead: " + ahead);
        long before = budget.sharedBytes();
        awaitSlow();
        assertEquals(SECOND, fill(64 << 10));
        assertTrue(budget.sharedBytes() >= before + SECOND, "it counts");
        assertEquals(0, fill(64 << 10));
        read(ahead + SECOND);
        assertTrue(fill(64 << 10) > 0);
    }

    @Test
    void writersOfLittlePiecesGetAsFar() throws Exception {
        exchange();
        int ahead = fill(4 << 10);
        awaitSlow();
        for (int i = 0; i < 8; i++) {
            look(); // For message credits.
            ahead += fill(4 << 10);
        }
        assertTrue(ahead > FIRST + SECOND, "ahead: " + ahead);
        read(ahead);
    }

    @Test
    void itsMemoryGoesWithTheConnection() throws Exception {
        exchange();
        fill(64 << 10);
        awaitSlow();
        assertEquals(SECOND, fill(64 << 10));
        writer.close(Close.ABORT);
        reader.close(Close.ABORT);
        assertEquals(0, budget.sharedBytes(), "neither end keeps the segment");
    }
}
